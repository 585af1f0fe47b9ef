//! Faces that are arranged with their surroundings only, and those that take their place.
use crate::arrange::{Arrangement, Cells, GRAIN, Grid, Known, Patches, Ranges, arrange, pooled};
use crate::boolean::draft::{Beside, Numbered, Piece, key};
use crate::boolean::run::Operation;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::convert::Infallible;

/// The volume between a triangle and a point.
pub(crate) fn volume(corners: &[Vec3; 3], middle: DVec3) -> f64 {
    let [a, b, c] = corners.map(|p| p.as_dvec3() - middle);
    a.cross(b).dot(c) / 6.0
}

/// Faces that are arranged with their surroundings only: farther away, what is in front of a face is outside
/// of the result, and what is behind it is within.
pub(crate) struct Local {
    pub(crate) arrangement: Arrangement,
    /// The vertices, ascending.
    pub(crate) vertices: Vec<u32>,
    cells: Cells,
    /// Parts of the result, by patches.
    selected: Vec<Option<bool>>,
}

impl Local {
    /// Arranges faces. All faces with a corner `around` are near. `None` if what is known contradicts
    /// itself.
    pub(crate) fn new(
        scale: f64,
        near: &[Beside],
        around: &FxHashSet<[u32; 3]>,
        pairs: &[[u32; 2]],
    ) -> Option<Self> {
        let settled: Vec<u8> = near
            .iter()
            .map(|face| {
                let known = face.corners.map(|p| around.contains(&key(p)));
                (0..3).filter(|&i| !known[i] && !known[(i + 1) % 3]).fold(0, |sides, i| sides | 1 << i)
            })
            .collect();
        let rim: Vec<u32> = (0..).zip(&settled).filter(|(_, sides)| **sides != 0).map(|of| of.0).collect();
        let Numbered { vertices, points, faces } =
            Numbered::new(near.par_iter().with_min_len(GRAIN).map(|face| (&face.vertices, &face.corners)));
        let count = faces.len() as u32;
        let (labels, meshes) = ((0..count).collect::<Vec<u32>>(), Ranges(vec![0, count]));
        let (arrangement, cells) = pooled(|| {
            let arrangement = arrange(Grid::of_scale(scale, points), faces, settled, pairs)?;
            let patches = Patches::new(&arrangement, &labels, &meshes)?;
            let known: Known<'_, fn(&[_]) -> Result<_, Infallible>> = Known::Beside(&rim);
            let Ok(found) = patches.cells(&arrangement, &meshes, known);
            found.map(|(cells, _)| (arrangement, cells))
        })?;
        let selected = cells.select(|windings| Operation::Union.holds(windings));
        Some(Self { arrangement, vertices, cells, selected })
    }
    /// Whether a part is turned, if it is selected.
    pub(crate) fn turn(&self, part: u32) -> Option<bool> {
        self.cells.of_part(part, &self.selected)
    }
    /// The faces nearby that do not stay.
    pub(crate) fn replaced(&self, near: &[Beside], around: &FxHashSet<[u32; 3]>) -> Replaced {
        let middle = near.first().map_or(DVec3::ZERO, |face| face.before[0].as_dvec3());
        let mut found = Replaced { middle, ..Replaced::default() };
        let mut last = None;
        for (i, face) in (0..).zip(near) {
            let is_whole = self.arrangement.is_whole(i);
            let turn = if is_whole { self.turn(i) } else { None };
            // a face without area stays as long as not all is known around it
            let stays = turn == Some(false) || face.is_flat() && !face.is_within(around);
            if stays && face.is_as_before() {
                continue;
            }
            // the parts of a face follow each other
            if last != Some((face.face, face.piece)) {
                found.taken += volume(&face.before, middle);
                match face.piece {
                    Some(piece) => found.pieces.push(piece),
                    None => found.faces.push(face.face),
                }
            }
            last = Some((face.face, face.piece));
            if stays || turn == Some(true) {
                found.whole.push(face.as_piece(!stays));
            }
        }
        let (all, points) = (&self.arrangement, self.arrangement.points());
        let of_part = |part: u32| {
            let corners = all.corners(part).map(|p| all.grid.place(points.place(p).at).as_vec3());
            self.turn(part).map_or(0.0, |turn| volume(&corners, middle) * if turn { -1.0 } else { 1.0 })
        };
        let parts: f64 = (all.faces.len() as u32..all.end()).map(of_part).sum();
        let whole: f64 = found.whole.iter().map(|piece| volume(&piece.corners, middle)).sum();
        found.change = parts + whole - found.taken;
        found
    }
}

/// Faces nearby that leave a draft, since others take their place.
#[derive(Default)]
pub(crate) struct Replaced {
    /// Pieces that leave, and faces of the scene.
    pub(crate) pieces: Vec<u32>,
    pub(crate) faces: Vec<u32>,
    /// Faces that come as a whole.
    pub(crate) whole: Vec<Piece>,
    /// The volume between those that leave and a point in their middle.
    pub(crate) taken: f64,
    pub(crate) middle: DVec3,
    /// By how much the volume grows, but for rounding.
    pub(crate) change: f64,
}
