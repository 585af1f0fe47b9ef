//! Mending of intersections that rounding made.
use crate::arrange::{GRAIN, pooled};
use crate::boolean::BooleanError;
use crate::boolean::attach::{Attached, attached};
use crate::boolean::draft::{Beside, Draft, Fresh, Piece, key, of_scene};
use crate::boolean::local::{Local, Replaced, volume};
use crate::boolean::snap::{Round, snapped};
use crate::intersections::intersections_of_few;
use glam::Vec3;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most new pieces that are compared on the host with those near them.
const FEW: usize = 1 << 10;
/// How often surroundings are made wider because faces farther away take part, and then as often again
/// because what is known there contradicts itself.
const WIDER: usize = 4;

/// Rounds after which the surroundings become wider, by all faces at their corners in every second round.
const PATIENCE: u32 = 8;

/// Pairs of pieces that intersect, and pairs of a piece and a face of the scene.
pub(crate) struct Left([Vec<[u32; 2]>; 2]);

impl Left {
    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// Pairs of faces that intersect, by their places among some faces.
fn pairs(near: &[Beside], Left([own, between]): &Left) -> Vec<[u32; 2]> {
    let places: FxHashMap<(bool, u32), u32> =
        near.iter().map(|of| (of.piece.is_some(), of.piece.unwrap_or(of.face))).zip(0..).collect();
    let at = |is_piece: bool, number: u32| places.get(&(is_piece, number)).copied();
    let pairs = own.iter().map(|pair| pair.map(|piece| at(true, piece)));
    let pairs = pairs.chain(between.iter().map(|&[piece, face]| [at(true, piece), at(false, face)]));
    let mut pairs: Vec<[u32; 2]> = pairs.filter_map(|[a, b]| Some([a?, b?])).collect();
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.sort_unstable();
    pairs
}

/// The positions of corners, as keys.
fn places(triangles: &[[Vec3; 3]]) -> FxHashSet<[u32; 3]> {
    triangles.as_flattened().iter().map(|&p| key(p)).collect()
}

/// Merges vertices of faces that are `around` and near each other: each becomes the nearest of those before
/// it that stay. Says whether there are any.
fn merge(reach: f32, near: &mut [Beside], around: &FxHashSet<[u32; 3]>) -> bool {
    let corners = near.iter().flat_map(|face| face.vertices.into_iter().zip(face.corners));
    let at: FxHashMap<u32, Vec3> = corners.filter(|of| around.contains(&key(of.1))).collect();
    let mut points: Vec<u32> = at.keys().copied().collect();
    points.sort_unstable();
    let one = snapped(&points, 0, reach, |vertex| at[&vertex]);
    for face in near.iter_mut().filter(|_| !one.is_empty()) {
        for (vertex, point) in face.vertices.iter_mut().zip(&mut face.corners) {
            if let Some(&other) = one.get(vertex) {
                (*vertex, *point) = (other, at[&other]);
            }
        }
    }
    !one.is_empty()
}

impl Draft {
    /// The pairs of faces that intersect, of which one has a new vertex. Pieces that were there before the
    /// last round of mending intersect no others of these.
    pub(crate) fn left(&self) -> ribbonmesh::Result<Left> {
        let (old, new) = self.pieces.split_at(self.mended);
        let corners: Vec<[Vec3; 3]> = new.iter().map(|piece| piece.corners).collect();
        let uploaded = self.scene.uploaded(&corners)?;
        let mut between = self.scene.pairs_with(&uploaded)?;
        between.iter_mut().for_each(|pair| pair[0] += old.len() as u32);
        let own = match new.len() {
            0 => vec![],
            n if n <= FEW => self.pairs_of_few(old, &corners),
            _ if old.is_empty() => self.scene.pairs_of(&uploaded)?,
            _ => self.pairs_of_all(&self.pieces.iter().map(|piece| piece.corners).collect::<Vec<_>>())?,
        };
        Ok(Left([own, between]))
    }
    /// The pairs of pieces that intersect, of which one is new.
    fn pairs_of_few(&self, old: &[Piece], new: &[[Vec3; 3]]) -> Vec<[u32; 2]> {
        let around = |corners: &[Vec3; 3]| {
            let [a, b, c] = *corners;
            (a.min(b).min(c), a.max(b).max(c))
        };
        let boxes: Vec<(Vec3, Vec3)> = new.iter().map(around).collect();
        let near: Vec<u32> = (0..old.len() as u32)
            .into_par_iter()
            .with_min_len(GRAIN / 8)
            .filter(|&i| {
                let (low, high) = around(&old[i as usize].corners);
                boxes.iter().any(|other| low.cmple(other.1).all() && other.0.cmple(high).all())
            })
            .collect();
        let from = near.len();
        let numbers: Vec<u32> =
            near.into_iter().chain((0..).map(|i| (old.len() + i) as u32).take(new.len())).collect();
        let points: Vec<Vec3> = numbers.iter().flat_map(|&i| self.pieces[i as usize].corners).collect();
        let faces: Vec<[u32; 3]> = (0..numbers.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let found = intersections_of_few(&points, &faces, from);
        found.into_iter().map(|pair| pair.map(|i| numbers[i as usize])).collect()
    }
    /// Cuts the faces that intersect, with their surroundings only. Before, vertices there that are near each
    /// other become one: cutting slivers makes others, but slivers of one vertex are gone. In the first
    /// round, faces and edges get the vertices that are near them, too ([`attached`]). If what is known of
    /// these contradicts itself, because rounding exchanged sheets there that do not intersect, wider
    /// surroundings do not. If the rim has only such sheets, all of the result seems to be outside, without a
    /// contradiction: so a change of the volume by more than `most` counts as one, too. Returns how often the
    /// surroundings were made wider.
    /// # Errors
    /// [`BooleanError::Contradiction`] if the widest do; those of the device.
    pub(crate) fn mend(&mut self, left: &Left, round: Round, most: f64) -> Result<usize, BooleanError> {
        let reach = round.reach(self.scene.largest);
        let mut triangles = self.hit(left)?;
        for _ in 0..round.number.saturating_sub(PATIENCE) / 2 {
            let around = places(&triangles);
            triangles = self.near(&triangles, &around)?.iter().map(|face| face.corners).collect();
        }
        for wider in 0..=2 * WIDER {
            let mut around = places(&triangles);
            let mut near = self.near(&triangles, &around)?;
            let gone = self.weld(&mut near);
            near.retain(|face| face.piece.is_none_or(|piece| !gone.contains(&piece)));
            let mut changed = merge(reach, &mut near, &around);
            // later, over longer distances, merging makes less of vertices and faces
            if round.is_first() {
                let first = self.first_fresh() + self.fresh.len() as u32;
                let scale = self.scene.scale;
                let found = pooled(|| attached([f64::from(reach), scale], first, &near, &around));
                if let Some(Attached { faces, points, beyond }) = found {
                    if !beyond.is_empty() && wider < WIDER {
                        let is_beyond = |face: &&Beside| face.vertices.iter().any(|v| beyond.contains(v));
                        triangles.extend(near.iter().filter(is_beyond).map(|face| face.before));
                        continue;
                    }
                    (near, changed) = (faces, true);
                    around.extend(points.iter().map(|&p| key(p)));
                    self.fresh.extend(points.into_iter().map(Fresh::Made));
                }
            }
            let mut pairs = match changed {
                true => self.pairs_among(&near)?,
                false => pairs(&near, left),
            };
            // merging may make others intersect: what is behind their other corners is not near
            let is_around = |&face: &u32| near[face as usize].is_within(&around);
            let beyond = pairs.as_flattened().iter().filter(|face| !is_around(face));
            let beyond: Vec<[Vec3; 3]> = beyond.map(|&face| near[face as usize].before).collect();
            if !beyond.is_empty() && wider < WIDER {
                triangles.extend(beyond);
                continue;
            }
            // the next round finds those that are not cut
            pairs.retain(|pair| pair.iter().all(is_around));
            if let Some(local) = Local::new(self.scene.scale, &near, &around, &pairs) {
                let replaced = local.replaced(&near, &around);
                if replaced.change.abs() <= most {
                    self.replace(&local, &near, replaced, gone, reach)?;
                    return Ok(wider);
                }
            }
            triangles = near.iter().map(|face| face.before).collect();
        }
        Err(BooleanError::Contradiction)
    }
    /// The corners of all faces of pairs.
    fn hit(&self, Left([own, between]): &Left) -> ribbonmesh::Result<Vec<[Vec3; 3]>> {
        let mut of_scene: Vec<u32> = between.iter().map(|pair| pair[1]).collect();
        of_scene.sort_unstable();
        of_scene.dedup();
        let mut corners = self.scene.faces(&of_scene)?.1;
        let mut hit: Vec<u32> =
            own.as_flattened().iter().copied().chain(between.iter().map(|pair| pair[0])).collect();
        hit.sort_unstable();
        hit.dedup();
        corners.extend(hit.into_iter().map(|piece| self.pieces[piece as usize].corners));
        Ok(corners)
    }
    /// The faces of the result with a corner `around`: all corners of some triangles.
    fn near(&self, triangles: &[[Vec3; 3]], around: &FxHashSet<[u32; 3]>) -> ribbonmesh::Result<Vec<Beside>> {
        let touches = |corners: &[Vec3; 3]| corners.iter().any(|&p| around.contains(&key(p)));
        let (list, listed) = self.scene.near(triangles)?;
        let mut near = of_scene(&list, listed);
        near.retain(|face| touches(&face.corners));
        let pieces = self
            .pieces
            .par_iter()
            .with_min_len(GRAIN)
            .enumerate()
            .filter(|(_, piece)| touches(&piece.corners));
        near.extend(pieces.map(|(i, piece)| piece.beside(i as u32)).collect::<Vec<_>>());
        Ok(near)
    }
    /// The pairs of faces that intersect.
    fn pairs_among(&self, near: &[Beside]) -> ribbonmesh::Result<Vec<[u32; 2]>> {
        if near.len() > FEW {
            return self.pairs_of_all(&near.iter().map(|face| face.corners).collect::<Vec<_>>());
        }
        let points: Vec<Vec3> = near.iter().flat_map(|face| face.corners).collect();
        let faces: Vec<[u32; 3]> = (0..near.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Ok(intersections_of_few(&points, &faces, 0))
    }
    /// The pairs of triangles that intersect, by a search on the device.
    fn pairs_of_all(&self, triangles: &[[Vec3; 3]]) -> ribbonmesh::Result<Vec<[u32; 2]>> {
        self.scene.pairs_of(&self.scene.uploaded(triangles)?)
    }
    /// Gives vertices of faces the number of the first one at their place, and the same to all pieces.
    /// Returns the pieces that have a vertex twice then.
    fn weld(&mut self, near: &mut [Beside]) -> FxHashSet<u32> {
        let mut first: FxHashMap<[u32; 3], u32> = FxHashMap::default();
        for (vertex, point) in near.iter().flat_map(|face| face.vertices.into_iter().zip(face.corners)) {
            first.entry(key(point)).and_modify(|least| *least = vertex.min(*least)).or_insert(vertex);
        }
        let mut becomes: FxHashMap<u32, u32> = FxHashMap::default();
        for face in &mut *near {
            let corners = face.corners;
            for (vertex, point) in face.vertices.iter_mut().zip(corners) {
                if let Some(&other) = first.get(&key(point)).filter(|&other| other != vertex) {
                    becomes.insert(*vertex, other);
                    *vertex = other;
                }
            }
        }
        let weld = |(i, piece): (usize, &mut Piece)| {
            if !becomes.is_empty() {
                piece.vertices = piece.vertices.map(|v| becomes.get(&v).copied().unwrap_or(v));
            }
            let [a, b, c] = piece.vertices;
            (a == b || b == c || c == a).then_some(i as u32)
        };
        self.pieces
            .par_iter_mut()
            .with_min_len(GRAIN)
            .enumerate()
            .filter_map(weld)
            .collect::<Vec<u32>>()
            .into_iter()
            .collect()
    }
    /// Takes the parts that faces nearby are cut into for these. Pieces in `gone` leave, too.
    fn replace(
        &mut self,
        local: &Local,
        near: &[Beside],
        by: Replaced,
        mut gone: FxHashSet<u32>,
        reach: f32,
    ) -> ribbonmesh::Result<()> {
        gone.extend(by.pieces);
        self.scene.drop_faces(&by.faces)?;
        let mut i = 0;
        self.pieces.retain(|_| {
            i += 1;
            !gone.contains(&(i - 1))
        });
        self.mended = self.pieces.len();
        self.pieces.extend(by.whole);
        let source = |i: u32| (near[i as usize].face, near[i as usize].turned);
        self.add_parts(&local.arrangement, &local.vertices, source, |part| local.turn(part), reach);
        let added: f64 =
            self.pieces[self.mended..].iter().map(|piece| volume(&piece.corners, by.middle)).sum();
        self.changed += added - by.taken;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boolean::run::{BooleanReport, Operation};
    use crate::boolean::scene::Scene;
    use glam::DVec3;
    use ribbonmesh::Device;
    use ribbonmesh_mesh::{SplitMix64 as Random, TriangleMesh, shapes};

    /// Mends a combination of two meshes until nothing is left, at most eight times. Returns how many faces
    /// are left, and how often surroundings were made wider; `None` if all faces would be arranged again.
    fn mended(meshes: &[TriangleMesh; 2], operation: Operation) -> Option<(usize, usize)> {
        let device = Device::cpu();
        let mut all = meshes[0].clone();
        all.append(&meshes[1]).expect("no attributes");
        let starts = vec![0, meshes[0].faces.len() as u32, all.faces.len() as u32];
        let faces = device.upload(all.faces.as_flattened()).expect("memory");
        let positions = device.upload(&all.positions).expect("memory");
        let scene = Scene::new(&positions, faces, starts, DVec3::ZERO).expect("memory");
        let report = &mut BooleanReport::default();
        let mut draft = Draft::new(scene, operation, Round::default(), report).expect("no contradiction");
        let (mut wider, mut round) = (0, Round::default());
        for _ in 0..8 {
            let left = draft.left().expect("memory");
            if left.len() == 0 {
                return Some((0, wider));
            }
            round = round.next(left.len());
            match draft.mend(&left, round, f64::INFINITY) {
                Err(BooleanError::Contradiction) => return None,
                mended => wider += mended.expect("memory"),
            }
        }
        Some((draft.left().expect("memory").len(), wider))
    }

    #[test]
    fn rounding_that_exchanges_sheets_is_mended_locally() {
        // two balls that nearly coincide: what is between them is thin, and rounding turns parts inside out
        let (mut local, mut wider) = (0, 0);
        for (seed, by) in [(216, 1e-3), (1242, 1e-4), (1256, 1e-4), (1270, 1e-4)] {
            let mut random = Random::new(seed);
            let mut ball = shapes::icosphere(2).expect("small");
            let mut noise = |mesh: &mut TriangleMesh, by: f64| {
                let p = mesh.positions.iter_mut();
                p.for_each(|p| *p = (*p * (1.0 + by * (random.unit() - 0.5))).as_vec3().as_dvec3());
            };
            noise(&mut ball, 0.02);
            let mut other = ball.clone();
            noise(&mut other, by);
            if let Some((left, times)) = mended(&[ball, other], Operation::Xor) {
                assert_eq!(left, 0, "{seed}");
                (local, wider) = (local + 1, wider + times);
            }
        }
        assert!(local >= 3 && wider > 0, "{local} locally, {wider} times wider");
    }
}
