//! The vertices and edges of two faces.
use crate::collide::narrow::Elements;
use glam::Vec3;

/// Number of pairs of elements of two faces: six of a vertex and a face, nine of two edges.
pub const PAIRS: u32 = 15;

/// Two faces with their positions: corners 0 to 2 belong to the first, 3 to 5 to the second.
#[derive(Clone, Copy, Debug)]
pub struct TwoFaces {
    /// Vertices.
    pub vertices: [u32; 6],
    /// Their positions at the beginning of the step.
    pub before: [Vec3; 6],
    /// Their positions at its end.
    pub after: [Vec3; 6],
}

impl TwoFaces {
    /// Whether a vertex moves at all.
    #[inline(always)]
    pub fn moves(&self, corner: usize) -> bool {
        self.before[corner] != self.after[corner]
    }
    /// The corners of a pair of elements, and whether these are edges. Pairs 0 to 2 have a vertex of the
    /// first face, 3 to 5 a vertex of the second one, and 6 to 14 are edges.
    #[inline(always)]
    pub fn corners(pair: u32) -> (bool, [usize; 4]) {
        if pair < 3 {
            (false, [pair as usize, 3, 4, 5])
        } else if pair < 6 {
            (false, [pair as usize, 0, 1, 2])
        } else {
            let (i, j) = ((pair - 6) / 3, (pair - 6) % 3);
            let next = |i: u32| (i + 1) % 3;
            (true, [i as usize, next(i) as usize, 3 + j as usize, 3 + next(j) as usize])
        }
    }
    /// A pair of elements; `None` if they have a common vertex, or if neither moves.
    #[inline(always)]
    pub fn elements(&self, pair: u32) -> Option<(Elements, [u32; 4])> {
        let (edges, [p, q, r, s]) = Self::corners(pair);
        let ids = [self.vertices[p], self.vertices[q], self.vertices[r], self.vertices[s]];
        let first = ids[0] == ids[2] || ids[0] == ids[3];
        let second = if edges { ids[1] == ids[2] || ids[1] == ids[3] } else { ids[0] == ids[1] };
        let moves = self.moves(p) || self.moves(q) || self.moves(r) || self.moves(s);
        if first || second || !moves {
            return None;
        }
        let of = |x: &[Vec3; 6]| [x[p].as_dvec3(), x[q].as_dvec3(), x[r].as_dvec3(), x[s].as_dvec3()];
        Some((Elements { edges, before: of(&self.before), after: of(&self.after) }, ids))
    }
}
