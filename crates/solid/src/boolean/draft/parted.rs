//! Vertices that are doubled where a draft touches itself.
use crate::arrange::{GRAIN, pooled};
use crate::boolean::BooleanError;
use crate::boolean::draft::{Beside, Draft, Fresh, Numbered, Piece, of_scene};
use crate::boolean::kernels::TURNED;
use crate::boolean::marked::Marks;
use crate::boolean::scene::place;
use crate::boolean::sheets::{Sheets, forks};
use rayon::prelude::*;
use ribbonmesh_mesh::MeshError;

/// Vertices that were added where a result touches itself.
#[derive(Default)]
pub(crate) struct Parted {
    /// Their number.
    pub(crate) vertices: usize,
    /// Number of those in the middle of edges.
    pub(crate) middles: usize,
}

impl Draft {
    /// The vertices of pieces, and those of several fans, at which the result may touch itself,
    /// ascending: their faces are not one fan. And the states of faces of the scene that have one of them,
    /// with the faces, ascending.
    fn forks(&self) -> Result<(Vec<u32>, Vec<[u32; 2]>), BooleanError> {
        let count = self.scene.vertices();
        let of_pieces = self.pieces.par_iter().with_min_len(GRAIN).flat_map_iter(|piece| piece.vertices);
        let of_both = of_pieces.chain(self.several.par_iter().with_min_len(GRAIN).copied());
        let touched = Marks::of(count as usize + self.fresh.len(), of_both).numbers();
        let (near, vertices) = self.scene.touching(&touched[..place(&touched, count) as usize])?;
        let turned = |([a, b, c], &[_, state]): ([u32; 3], &[u32; 2])| {
            if state == TURNED { [a, c, b] } else { [a, b, c] }
        };
        let of_scene = vertices.into_par_iter().with_min_len(GRAIN).zip(&near).map(turned);
        Ok(pooled(|| {
            let of_pieces = self.pieces.par_iter().with_min_len(GRAIN).map(|piece| piece.vertices);
            let faces: Vec<[u32; 3]> = of_scene.chain(of_pieces).collect();
            let forks = forks(&touched, &faces, count as usize + self.fresh.len());
            if forks.is_empty() {
                return (forks, vec![]);
            }
            let has_fork = |of: &(&[u32; 2], &[u32; 3])| of.1.iter().any(|v| forks.binary_search(v).is_ok());
            let near = near
                .par_iter()
                .with_min_len(GRAIN)
                .zip(&faces[..near.len()])
                .filter(has_fork)
                .map(|of| *of.0)
                .collect();
            (forks, near)
        }))
    }
    /// Doubles vertices where the result touches itself, so that it is a manifold. Says how many are added;
    /// those in the middle of edges are rounded, at a place that depends on the round.
    pub(crate) fn part_sheets(&mut self, round: u32) -> Result<Parted, BooleanError> {
        if self.pieces.is_empty() && self.several.is_empty() {
            return Ok(Parted::default());
        }
        let (forks, near) = self.forks()?;
        if forks.is_empty() {
            return Ok(Parted::default());
        }
        let is_fork = |v: &u32| forks.binary_search(v).is_ok();
        let listed = self.scene.faces(&near.iter().map(|of| of[0]).collect::<Vec<u32>>())?;
        let mut near = of_scene(&near, listed);
        let pieces = self
            .pieces
            .par_iter()
            .with_min_len(GRAIN)
            .enumerate()
            .filter(|of| of.1.vertices.iter().any(is_fork));
        near.extend(pieces.map(|(i, piece)| piece.beside(i as u32)).collect::<Vec<_>>());
        let Numbered { vertices, points, faces } =
            Numbered::new(near.par_iter().with_min_len(GRAIN).map(|face| (&face.vertices, &face.corners)));
        let marked = vertices.iter().map(is_fork).collect();
        let before = vertices.len();
        let mut sheets = Sheets::new(self.scene.scale, points, faces, marked, round);
        sheets.part();
        let Sheets { points, faces, copies, sources, .. } = sheets;
        MeshError::at_most(
            "vertices",
            self.scene.vertices() as usize + self.fresh.len() + copies.len(),
            u64::from(u32::MAX),
        )?;
        let first = self.first_fresh() + self.fresh.len() as u32;
        let number = |v: u32| vertices.get(v as usize).copied().unwrap_or_else(|| first + v - before as u32);
        for (copy, point) in copies.iter().zip(&points[before..]) {
            let of = number(copy.of);
            self.fresh.push(if copy.is_middle { Fresh::Middle(of, *point) } else { Fresh::Copy(of) });
        }
        for (face, new) in near.iter().zip(&faces) {
            let new = new.map(number);
            match face.piece {
                Some(piece) => self.pieces[piece as usize].vertices = new,
                None => {
                    let changed = (0..3).filter(|&k| new[k] != face.vertices[k]);
                    self.moved.extend(changed.map(|k| (face.face, k as u32, new[k])));
                }
            }
        }
        for (&source, new) in sources.iter().zip(&faces[near.len()..]) {
            let Beside { face, turned, .. } = near[source as usize];
            let corners = new.map(|v| points[v as usize]);
            self.pieces.push(Piece { face, vertices: new.map(number), corners, turned });
        }
        let middles = copies.iter().filter(|copy| copy.is_middle).count();
        Ok(Parted { vertices: copies.len(), middles })
    }
}
