//! Links between the sides of faces.
use crate::repair::host::check::NONE;
use crate::repair::host::edges::{Edges, before, behind, start};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// For each side, the side of the face across its edge, if there is exactly one. A link holds for both of its
/// sides, and both lead between the same two vertices.
pub(crate) struct Links(Vec<u32>);

impl Links {
    /// Connects the two sides of every edge that has exactly two.
    pub fn of(edges: &Edges, faces: usize) -> Self {
        let mut across: Vec<AtomicU32> = Vec::new();
        across.resize_with(3 * faces, || AtomicU32::new(NONE));
        edges.for_each(|edge| {
            if let Some([a, b]) = edge.pair() {
                across[a as usize].store(b, Relaxed);
                across[b as usize].store(a, Relaxed);
            }
        });
        Self(across.into_par_iter().map(AtomicU32::into_inner).collect())
    }
    /// The side across.
    pub fn across(&self, side: u32) -> Option<u32> {
        Some(self.0[side as usize]).filter(|&other| other != NONE)
    }
    /// Connects two sides.
    pub fn join(&mut self, [a, b]: [u32; 2]) {
        (self.0[a as usize], self.0[b as usize]) = (b, a);
    }
    /// Disconnects two sides.
    pub fn cut(&mut self, [a, b]: [u32; 2]) {
        (self.0[a as usize], self.0[b as usize]) = (NONE, NONE);
    }
    /// The links between `kept` faces, which ascend, numbered by their indices in that list. Faces that are
    /// linked to one of them are in the list.
    pub fn select(&self, kept: &[u32]) -> Self {
        let place = |side: u32| match kept.binary_search(&(side / 3)) {
            Ok(face) => 3 * face as u32 + side % 3,
            Err(_) => NONE,
        };
        let sides = kept.par_iter().flat_map_iter(|&face| 3 * face..3 * face + 3);
        Self(sides.map(|side| self.across(side).map_or(NONE, place)).collect())
    }
    /// Turns around vertex `v` from a face across `side`: returns the corner at `v` of the face there, and
    /// that face's other side at `v`. A corner `3 f + i` has the number of the side that begins there.
    pub fn turn(&self, faces: &[[u32; 3]], v: u32, side: u32) -> Option<(u32, u32)> {
        let other = self.across(side)?;
        Some(if start(faces, other) == v { (other, before(other)) } else { (behind(other), behind(other)) })
    }
    /// Linked sides that run in the same direction: the faces there have opposite orientations. Each pair is
    /// listed once, the lesser side first, in ascending order.
    pub fn inconsistent(&self, faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let pair = |side: u32| Some([side, self.across(side).filter(|&other| other > side)?]);
        let sides = (0..self.0.len() as u32).into_par_iter().filter_map(pair);
        sides.filter(|&pair| same_direction(faces, pair)).collect()
    }
}

/// Whether two linked sides run in the same direction.
pub(crate) fn same_direction(faces: &[[u32; 3]], [a, b]: [u32; 2]) -> bool {
    start(faces, a) == start(faces, b)
}
