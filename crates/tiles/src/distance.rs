//! The distance between two surfaces, tile by tile.
use crate::frame::Frame;
use crate::gather::{Span, spans};
use crate::level::Array;
use crate::streaming::{OnDisk, Streaming};
use crate::{Result, disk};
use glam::Vec3;
use ribbonmesh::bvh::{Distance, DistanceOptions, Figures, OneWay, SampledSurface};
use ribbonmesh::{Device, Error};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Bytes that a tree takes at most for a face and for a vertex, as measured in memory (decision 72).
const PER_FACE: u64 = 165;
const PER_VERTEX: u64 = 65;
/// A part of a squared distance from a box that rounding may have added to it.
const ROUNDED: f32 = 1e-5;

/// Measures how far the surfaces of two files (binary PLY of triangles, OBJ, binary STL, GLB) are from each
/// other, as [`ribbonmesh::bvh::distance`] does it in memory. In memory is a tile of one surface with
/// the trees of tiles of the other that were used last, as many as fit.
///
/// Distances of vertices are those in memory, bit by bit. Random points are as many, by area, but others, so
/// that mean and root mean square differ as for another seed.
/// # Errors
/// [`Error::NoFaces`], [`TilesError`](crate::TilesError).
pub fn distance(
    a: &Path,
    b: &Path,
    measure: &DistanceOptions,
    options: &Streaming,
    say: &mut dyn FnMut(String),
) -> Result<Distance> {
    let of = |name: &str| Streaming { work: options.work.join(name), ..options.clone() };
    let a = Side::new(OnDisk::read(a, &of("a"))?)?;
    let b = Side::new(OnDisk::read_in(b, &of("b"), Some(&a.mesh.frame))?)?;
    for side in [&a, &b] {
        say(format!("{} faces in {} tiles", side.mesh.sizes.faces, side.spans.len()));
    }
    let (of_a, of_b) = (a.measure(&b, measure, say)?, b.measure(&a, measure, say)?);
    let diagonal = (a.high.as_dvec3() - a.low.as_dvec3()).length() / a.mesh.frame.scale();
    for side in [a, b] {
        side.mesh.remove()?;
    }
    disk::remove_folder(&options.work)?;
    let ways = [&of_a, &of_b].map(Found::one_way);
    Ok(Distance::of(ways, Found::means(&[of_a, of_b]), diagonal))
}

/// One of the two surfaces, in the units of the frame.
struct Side {
    mesh: OnDisk,
    spans: Vec<Span>,
    /// The box around each tile.
    boxes: Vec<[Vec3; 2]>,
    /// The area of each tile.
    areas: Vec<f64>,
    /// Vertices that have a face.
    vertices: u64,
    low: Vec3,
    high: Vec3,
    device: Device,
}

impl Side {
    fn new(mesh: OnDisk) -> Result<Self> {
        if mesh.sizes.faces == 0 {
            return Err(Error::NoFaces { what: "the surface" }.into());
        }
        let spans = spans(&mesh.tiles()?);
        let (low, high, device) = (Vec3::INFINITY, Vec3::NEG_INFINITY, Device::cpu());
        let mut side = Self { mesh, spans, boxes: vec![], areas: vec![], vertices: 0, low, high, device };
        let mut shared: Vec<u32> = vec![];
        for &span in &side.spans {
            let [first, count] = span.vertices;
            let ids: Vec<u32> = disk::read(&side.mesh.level.array(Array::Ids), first, count as usize)?;
            let fixed: Vec<u8> = disk::read(&side.mesh.level.array(Array::Fixed), first, count as usize)?;
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
    fn triangles(&self, span: Span) -> Result<(Vec<Vec3>, Vec<[u32; 3]>)> {
        let Span { faces: [face, faces], vertices: [vertex, vertices] } = span;
        let level = &self.mesh.level;
        Ok((
            disk::read(&level.array(Array::Vertices), vertex, vertices as usize)?,
            disk::read(&level.array(Array::Faces), face, faces as usize)?,
        ))
    }
    /// The surface of a tile, to be measured from points of another one.
    fn surface(&self, tile: usize, other: &Self) -> Result<SampledSurface> {
        let (x, faces) = self.triangles(self.spans[tile])?;
        let reach = other.low.abs().max(other.high.abs()).max_element();
        Ok(SampledSurface::beside(&self.device, &x, &faces, reach)?)
    }
    /// Measures from the vertices and from random points to another surface.
    fn measure(&self, to: &Self, options: &DistanceOptions, say: &mut dyn FnMut(String)) -> Result<Found> {
        let mut found = Found::new(self);
        let mut trees = Trees::new(to, self);
        let all: f64 = self.areas.iter().sum();
        let piece = self.mesh.room.tile as usize;
        let (mut before, mut seed) = (0.0, options.seed);
        for (tile, &area) in self.areas.iter().enumerate() {
            let surface = self.surface(tile, to)?;
            let near = to.near(self.boxes[tile]);
            for points in surface.vertices().read()?.chunks(piece) {
                let distances = trees.distances(points, &near)?;
                found.farthest(points, &distances);
            }
            if area == 0.0 || options.samples == 0 {
                continue;
            }
            // points by area: those of parts of equal area that end in the tile, at least one
            let ended = |area: f64| (area / all * f64::from(options.samples)).round() as u64;
            let count = (ended(before + area) - ended(before)).max(1);
            before += area;
            let (mut sum, mut squares) = (0.0, 0.0);
            for first in (0..count).step_by(piece) {
                let points = surface.sample((count - first).min(piece as u64) as u32, seed)?.read()?;
                seed = seed.wrapping_add(1);
                let distances = trees.distances(&points, &near)?;
                found.farthest(&points, &distances);
                for &d in &distances {
                    sum += f64::from(d);
                    squares += f64::from(d) * f64::from(d);
                }
            }
            found.samples += count;
            found.area += area;
            found.sum += area / count as f64 * sum;
            found.squares += area / count as f64 * squares;
        }
        say(format!("{} trees made of {} tiles", trees.made, to.spans.len()));
        Ok(found)
    }
    /// The tiles with their squared distances from a box, the nearest first.
    fn near(&self, around: [Vec3; 2]) -> Vec<(f32, usize)> {
        let middle = |[low, high]: [Vec3; 2]| 0.5 * low + 0.5 * high;
        let mut all: Vec<_> = (0..)
            .zip(&self.boxes)
            .map(|(tile, &of)| (between(around, of), middle(around).distance_squared(middle(of)), tile))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        all.into_iter().map(|(apart, _, tile)| (apart, tile)).collect()
    }
}

/// The squared distance between two boxes, a little less where it was rounded.
fn between([low, high]: [Vec3; 2], [other_low, other_high]: [Vec3; 2]) -> f32 {
    let gap = (low - other_high).max(other_low - high).max(Vec3::ZERO);
    gap.length_squared() * (1.0 - ROUNDED)
}

/// The trees of tiles of a surface. Those that were used last are kept, as many as fit into memory.
struct Trees<'s> {
    of: &'s Side,
    from: &'s Side,
    /// By tile, with the time of its last use.
    kept: FxHashMap<usize, (u64, SampledSurface)>,
    /// Bytes of those that are kept.
    bytes: u64,
    /// Uses up to now: the time.
    uses: u64,
    /// Trees that were made.
    made: u64,
}
impl<'s> Trees<'s> {
    fn new(of: &'s Side, from: &'s Side) -> Self {
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
        while self.bytes > self.of.mesh.room.trees() {
            let Some((&last, _)) = self.kept.iter().min_by_key(|(_, (used, _))| *used) else { return };
            self.kept.remove(&last);
            self.bytes -= self.bytes_of(last);
        }
    }
    /// The distances of points; `near` are the tiles, the nearest first.
    fn distances(&mut self, points: &[Vec3], near: &[(f32, usize)]) -> Result<Vec<f32>> {
        let mut best = vec![f32::INFINITY; points.len()];
        let device = self.of.device.clone();
        for &(apart, tile) in near {
            if best.iter().all(|&best| apart > best * best) {
                break;
            }
            let around = self.of.boxes[tile];
            let closer = |&i: &usize| between([points[i]; 2], around) <= best[i] * best[i];
            let asked: Vec<usize> = (0..points.len()).filter(closer).collect();
            if asked.is_empty() {
                continue;
            }
            let of_asked: Vec<Vec3> = asked.iter().map(|&i| points[i]).collect();
            let found = self.get(tile)?.bvh().closest(&device.upload(&of_asked)?, None)?.read()?;
            for (&i, found) in asked.iter().zip(&found) {
                best[i] = best[i].min(found.distance);
            }
        }
        Ok(best)
    }
}

/// Distances of the points of a surface, in the units of the frame.
struct Found {
    frame: Frame,
    vertices: u64,
    samples: u64,
    /// The area with random points, and sums of distances and of their squares by area.
    area: f64,
    sum: f64,
    squares: f64,
    most: f32,
    at: Vec3,
}
impl Found {
    fn new(of: &Side) -> Self {
        let frame = of.mesh.frame;
        let (vertices, at) = (of.vertices, Vec3::ZERO);
        Self { frame, vertices, samples: 0, area: 0.0, sum: 0.0, squares: 0.0, most: -1.0, at }
    }
    fn farthest(&mut self, points: &[Vec3], distances: &[f32]) {
        for (&p, &d) in points.iter().zip(distances) {
            if d > self.most {
                (self.most, self.at) = (d, p);
            }
        }
    }
    /// Mean and root mean square over random points of some surfaces, each with the weight of its number.
    fn means(all: &[Self]) -> Figures {
        let samples: u64 = all.iter().map(|found| found.samples).sum();
        let mean = |of: fn(&Self) -> f64| {
            let sum = |found: &Self| found.samples as f64 * of(found) / found.area;
            let with = all.iter().filter(|found| found.samples > 0);
            (samples > 0).then(|| with.map(sum).sum::<f64>() / samples as f64)
        };
        let scale = all.first().map_or(1.0, |found| found.frame.scale());
        let most = all.iter().map(|found| found.most).fold(0.0, f32::max);
        Figures {
            hausdorff: f64::from(most) / scale,
            mean: mean(|found| found.sum).map(|x| x / scale),
            rms: mean(|found| found.squares).map(|x| x.sqrt() / scale),
        }
    }
    fn one_way(&self) -> OneWay {
        let figures = Self::means(std::slice::from_ref(self));
        let at = self.at.to_array().map(|x| self.frame.length(x));
        OneWay { vertices: self.vertices, samples: self.samples, figures, at }
    }
}
