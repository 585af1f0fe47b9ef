//! Parts of faces that become pieces of a draft.
use crate::arrange::{Arrangement, GRAIN, pooled};
use crate::boolean::draft::{Beside, Draft, Fresh};
use crate::boolean::marked::Marks;
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
        let (first, scale) = (self.first_fresh() + self.fresh.len() as u32, self.scene.scale);
        let (pieces, fresh) = (&mut self.pieces, &mut self.fresh);
        pooled(|| {
            let count = vertices.len() as u32;
            let points = all.points();
            let at = |point: u32| match all.grid.points.get(point as usize) {
                Some(&at) => at,
                None => on_grid(all.grid.place(points.place(point).at).as_vec3(), scale),
            };
            let of_cut = (all.faces.len() as u32..all.end()).into_par_iter().with_min_len(GRAIN);
            let mut cut: Vec<(u32, bool)> = of_cut.filter_map(|part| Some((part, turn(part)?))).collect();
            let is_new = |&p: &u32| p >= count;
            let of_cut = cut.par_iter().with_min_len(GRAIN).map(|&(part, _)| all.corners(part));
            let of_cut = of_cut.filter(|corners| corners.iter().any(is_new)).flatten_iter();
            let one = snapped(&Marks::of(all.point_count(), of_cut).numbers(), count, reach, at);
            let moved = |part: u32| {
                let corners = all.corners(part);
                if one.is_empty() { corners } else { corners.map(|p| one.get(&p).copied().unwrap_or(p)) }
            };
            if !one.is_empty() {
                let is_left = |&(part, _): &(u32, bool)| {
                    let [a, b, c] = moved(part);
                    a != b && b != c && c != a
                };
                cut = cut.into_par_iter().with_min_len(GRAIN).filter(is_left).collect();
            }
            // numbers of the new points that are left, in their order
            let corners = cut.par_iter().with_min_len(GRAIN).flat_map_iter(|&(part, _)| moved(part));
            let made = Marks::of(all.point_count(), corners.filter(is_new)).numbers();
            let mut numbers = vec![u32::MAX; all.made.len()];
            (first..).zip(&made).for_each(|(number, &p)| numbers[(p - count) as usize] = number);
            let number = |p: u32| match p.checked_sub(count) {
                Some(made) => numbers[made as usize],
                None => vertices[p as usize],
            };
            let piece = |&(part, turn): &(u32, bool)| {
                let (face, turned) = face(all.face(part));
                let corners = moved(part);
                let (vertices, corners) = (corners.map(number), corners.map(at));
                Beside { face, piece: None, vertices, corners, turned, before: corners, is_part: false }
                    .as_piece(turn)
            };
            pieces.par_extend(cut.par_iter().with_min_len(GRAIN / 4).map(piece));
            fresh.par_extend(made.par_iter().with_min_len(GRAIN / 4).map(|&p| Fresh::Made(at(p))));
        });
    }
}
