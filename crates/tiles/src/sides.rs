//! Surfaces on disk, tile by tile, for distances between them.
use crate::Result;
use crate::disk;
use crate::frame::Frame;
use crate::gather::{Span, Tile, spans};
use crate::level::{Array, Level, Sizes};
use crate::plan::Room;
use glam::Vec3;
use ribbonmesh::bvh::SampledSurface;
use ribbonmesh::{Device, Error};
use rustc_hash::FxHashMap;

/// Bytes that a tree takes at most for a face and for a vertex, as measured in memory (decision 72).
const PER_FACE: u64 = 165;
const PER_VERTEX: u64 = 65;
/// A part of a squared distance from a box that rounding may have added to it.
const ROUNDED: f32 = 1e-5;

/// The mesh of a level, cut into tiles.
pub type Cut<'a> = (&'a Level, Sizes, &'a [Tile]);

/// One of two surfaces, in the units of the frame.
pub struct Side<'m> {
    level: &'m Level,
    pub frame: Frame,
    pub room: Room,
    pub spans: Vec<Span>,
    /// The box around each tile.
    pub boxes: Vec<[Vec3; 2]>,
    /// The area of each tile.
    pub areas: Vec<f64>,
    /// Vertices that have a face.
    pub vertices: u64,
    pub low: Vec3,
    pub high: Vec3,
    device: Device,
}

impl<'m> Side<'m> {
    /// Of the tiles of a level.
    /// # Errors
    /// [`Error::NoFaces`]; the disk.
    pub fn new(level: &'m Level, tiles: &[Tile], frame: Frame, room: Room) -> Result<Self> {
        if tiles.iter().all(|tile| tile.faces == 0) {
            return Err(Error::NoFaces { what: "the surface" }.into());
        }
        let spans = spans(tiles);
        let (low, high, device) = (Vec3::INFINITY, Vec3::NEG_INFINITY, Device::cpu());
        let (boxes, areas, vertices) = (vec![], vec![], 0);
        let mut side = Self { level, frame, room, spans, boxes, areas, vertices, low, high, device };
        let mut shared: Vec<u32> = vec![];
        for &span in &side.spans {
            let [first, count] = span.vertices;
            let ids: Vec<u32> = disk::read(&side.level.array(Array::Ids), first, count as usize)?;
            let fixed: Vec<u8> = disk::read(&side.level.array(Array::Fixed), first, count as usize)?;
            let of_border = ids.into_iter().zip(fixed).filter(|&(_, fixed)| fixed != 0).map(|(id, _)| id);
            let before = shared.len();
            shared.extend(of_border);
            side.vertices += count - (shared.len() - before) as u64;
            let (x, faces) = side.triangles(span)?;
            let around = x.iter().fold([low, high], |[low, high], &p| [low.min(p), high.max(p)]);
            let area = |&[a, b, c]: &[u32; 3]| {
                let [a, b, c] = [a, b, c].map(|v| x[v as usize].as_dvec3());
                0.5 * (b - a).cross(c - a).length()
            };
            side.areas.push(faces.iter().map(area).sum());
            side.boxes.push(around);
            (side.low, side.high) = (side.low.min(around[0]), side.high.max(around[1]));
        }
        shared.sort_unstable();
        shared.dedup();
        side.vertices += shared.len() as u64;
        Ok(side)
    }
    /// Two surfaces in the same units.
    /// # Errors
    /// As [`Side::new`].
    pub fn both(cuts: [Cut<'m>; 2], frame: &Frame, room: &Room) -> Result<[Self; 2]> {
        let [a, b] = cuts.map(|(level, _, tiles)| Self::new(level, tiles, *frame, *room));
        Ok([a?, b?])
    }
    /// The positions and the faces of a tile.
    pub fn triangles(&self, span: Span) -> Result<(Vec<Vec3>, Vec<[u32; 3]>)> {
        let Span { faces: [face, faces], vertices: [vertex, vertices] } = span;
        let level = self.level;
        Ok((
            disk::read(&level.array(Array::Vertices), vertex, vertices as usize)?,
            disk::read(&level.array(Array::Faces), face, faces as usize)?,
        ))
    }
    /// The surface of a tile, to be measured from points of another one.
    pub fn surface(&self, tile: usize, other: &Side<'_>) -> Result<SampledSurface> {
        let (x, faces) = self.triangles(self.spans[tile])?;
        let reach = other.low.abs().max(other.high.abs()).max_element();
        Ok(SampledSurface::beside(&self.device, &x, &faces, reach)?)
    }
    /// The tiles with their squared distances from a box, the nearest first.
    pub fn near(&self, around: [Vec3; 2]) -> Vec<(f32, usize)> {
        let middle = |[low, high]: [Vec3; 2]| 0.5 * low + 0.5 * high;
        let mut all: Vec<_> = (0..)
            .zip(&self.boxes)
            .map(|(tile, &of)| (between(around, of), middle(around).distance_squared(middle(of)), tile))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        all.into_iter().map(|(apart, _, tile)| (apart, tile)).collect()
    }
}

/// The closest point of a surface.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    pub distance: f32,
    /// The place of its face in all tiles.
    pub face: u64,
    pub point: Vec3,
}

/// The squared distance between two boxes, a little less where it was rounded.
fn between([low, high]: [Vec3; 2], [other_low, other_high]: [Vec3; 2]) -> f32 {
    let gap = (low - other_high).max(other_low - high).max(Vec3::ZERO);
    gap.length_squared() * (1.0 - ROUNDED)
}

/// The trees of tiles of a surface. Those that were used last are kept, as many as fit into memory.
pub struct Trees<'s> {
    of: &'s Side<'s>,
    from: &'s Side<'s>,
    /// By tile, with the time of its last use.
    kept: FxHashMap<usize, (u64, SampledSurface)>,
    /// Bytes of those that are kept.
    bytes: u64,
    /// Uses up to now: the time.
    uses: u64,
    /// Trees that were made.
    pub made: u64,
}
impl<'s> Trees<'s> {
    /// Of a surface, to be measured from points of another one.
    pub fn new(of: &'s Side<'s>, from: &'s Side<'s>) -> Self {
        Self { of, from, kept: FxHashMap::default(), bytes: 0, uses: 0, made: 0 }
    }
    /// Bytes of a tile's tree.
    fn bytes_of(&self, tile: usize) -> u64 {
        let Span { faces: [_, faces], vertices: [_, vertices] } = self.of.spans[tile];
        PER_FACE * faces + PER_VERTEX * vertices
    }
    fn get(&mut self, tile: usize) -> Result<&SampledSurface> {
        self.uses += 1;
        let tree = match self.kept.remove(&tile) {
            Some((_, tree)) => tree,
            None => {
                self.make_room(self.bytes_of(tile));
                self.made += 1;
                self.of.surface(tile, self.from)?
            }
        };
        let kept = self.kept.entry(tile).insert_entry((self.uses, tree));
        Ok(&kept.into_mut().1)
    }
    /// Drops those that were not used for the longest time.
    fn make_room(&mut self, bytes: u64) {
        self.bytes += bytes;
        while self.bytes > self.of.room.trees() {
            let Some((&last, _)) = self.kept.iter().min_by_key(|(_, (used, _))| *used) else { return };
            self.kept.remove(&last);
            self.bytes -= self.bytes_of(last);
        }
    }
    /// The closest points; `near` are the tiles, the nearest first.
    pub fn closest(&mut self, points: &[Vec3], near: &[(f32, usize)]) -> Result<Vec<Near>> {
        let nothing = Near { distance: f32::INFINITY, face: 0, point: Vec3::ZERO };
        let mut best = vec![nothing; points.len()];
        let device = self.of.device.clone();
        for &(apart, tile) in near {
            if best.iter().all(|best| apart > best.distance * best.distance) {
                break;
            }
            let around = self.of.boxes[tile];
            let closer = |&i: &usize| between([points[i]; 2], around) <= best[i].distance * best[i].distance;
            let asked: Vec<usize> = (0..points.len()).filter(closer).collect();
            if asked.is_empty() {
                continue;
            }
            let of_asked: Vec<Vec3> = asked.iter().map(|&i| points[i]).collect();
            let found = self.get(tile)?.bvh().closest(&device.upload(&of_asked)?, None)?.read()?;
            let [first, _] = self.of.spans[tile].faces;
            for (&i, found) in asked.iter().zip(&found) {
                if found.distance < best[i].distance {
                    let face = first + u64::from(found.face);
                    best[i] = Near { distance: found.distance, face, point: found.point };
                }
            }
        }
        Ok(best)
    }
    /// The distances alone.
    pub fn distances(&mut self, points: &[Vec3], near: &[(f32, usize)]) -> Result<Vec<f32>> {
        Ok(self.closest(points, near)?.iter().map(|near| near.distance).collect())
    }
}
