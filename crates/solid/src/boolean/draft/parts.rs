//! Parts of faces that become pieces of a draft.
use crate::arrange::Arrangement;
use crate::boolean::draft::{Beside, Draft, Fresh};
use crate::boolean::on_grid::on_grid;
use crate::boolean::snap::snapped;
use rayon::prelude::*;

impl Draft {
    /// Adds selected parts of faces that meet others. `face` gives the face of the input for a face of the
    /// arrangement, and whether it is turned; `turn` whether a part is, if it is selected. New points within
    /// `reach` of others become these.
    pub(crate) fn add_parts(
        &mut self,
        all: &Arrangement,
        vertices: &[u32],
        face: impl Fn(u32) -> (u32, bool) + Sync,
        turn: impl Fn(u32) -> Option<bool> + Sync,
        reach: f32,
    ) {
        let count = vertices.len() as u32;
        let (points, scale) = (all.points(), self.scene.scale);
        let at = |point: u32| match all.grid.points.get(point as usize) {
            Some(&at) => at,
            None => on_grid(all.grid.place(points.place(point).at).as_vec3(), scale),
        };
        let of_cut = (all.faces.len() as u32..all.end()).into_par_iter();
        let cut: Vec<(u32, bool)> = of_cut.filter_map(|part| Some((part, turn(part)?))).collect();
        let of_cut = cut.par_iter().map(|&(part, _)| all.corners(part));
        let mut candidates: Vec<u32> =
            of_cut.filter(|corners| corners.iter().any(|&p| p >= count)).flatten_iter().collect();
        candidates.par_sort_unstable();
        candidates.dedup();
        let one = snapped(&candidates, count, reach, at);
        let moved = cut.into_par_iter().map(|(part, turn)| {
            (part, turn, all.corners(part).map(|point| one.get(&point).copied().unwrap_or(point)))
        });
        let moved: Vec<(u32, bool, [u32; 3])> =
            moved.filter(|&(.., [a, b, c])| a != b && b != c && c != a).collect();
        // numbers of the new points that are left, in their order
        let mut numbers = vec![u32::MAX; all.made.len()];
        for point in moved.iter().flat_map(|of| of.2).filter(|&p| p >= count) {
            numbers[(point - count) as usize] = 0;
        }
        let first = self.first_fresh() + self.fresh.len() as u32;
        let left = (0..).zip(&mut numbers).filter(|of| *of.1 == 0);
        let made: Vec<u32> = (first..)
            .zip(left)
            .map(|(number, (i, place))| {
                *place = number;
                count + i
            })
            .collect();
        let number = |p: u32| match p.checked_sub(count) {
            Some(made) => numbers[made as usize],
            None => vertices[p as usize],
        };
        let piece = |(part, turn, corners): (u32, bool, [u32; 3])| {
            let (face, turned) = face(all.face(part));
            let (vertices, corners) = (corners.map(number), corners.map(at));
            Beside { face, piece: None, vertices, corners, turned, before: corners, is_part: false }
                .as_piece(turn)
        };
        self.pieces.par_extend(moved.into_par_iter().map(piece));
        self.fresh.par_extend(made.par_iter().map(|&p| Fresh::Made(at(p))));
    }
}
