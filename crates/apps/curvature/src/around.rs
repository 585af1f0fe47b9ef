//! What is around a vertex, from its sorted corners.
use ribbonmesh::corners::Rows;
use ribbonmesh::device::{hi, lo};

/// Edges at a vertex, and which of its corners end at the boundary.
#[derive(Clone, Copy)]
pub struct Around {
    /// Corners: faces at the vertex.
    pub faces: u32,
    /// Edges at the vertex.
    pub edges: u32,
    /// Edges of one face.
    pub boundary_edges: u32,
}
impl Around {
    /// Those of the sorted corners `start..end`; gives the other end of each boundary edge to `boundary`.
    #[inline(always)]
    pub fn new(rows: Rows, start: u32, end: u32, boundary: impl FnMut(u32)) -> Self {
        let faces = end - start;
        if closed(rows, start, end) {
            Self { faces, edges: faces, boundary_edges: 0 }
        } else {
            Self::count(rows, start, end, boundary)
        }
    }
    /// Compares every end with every other.
    #[inline(always)]
    fn count(rows: Rows, start: u32, end: u32, mut boundary: impl FnMut(u32)) -> Self {
        let s = rows.corners();
        let entry = |k: u32| {
            let corner = s.get(start + k / 2);
            if k & 1 == 0 { lo(corner) } else { hi(corner) }
        };
        let n = 2 * (end - start);
        let (mut edges, mut boundary_edges, mut k) = (0, 0, 0);
        while k < n {
            let l = entry(k);
            let (mut before, mut after, mut j) = (0, 0, 0);
            while j < n {
                if entry(j) == l {
                    before += (j < k) as u32;
                    after += (j > k) as u32;
                }
                j += 1;
            }
            edges += (before == 0) as u32;
            if before + after == 0 {
                boundary_edges += 1;
                boundary(l);
            }
            k += 1;
        }
        Self { faces: end - start, edges, boundary_edges }
    }
}

/// Whether each vertex that follows in a corner goes before in exactly one, of at most 32: then each edge has two faces.
#[inline(always)]
fn closed(rows: Rows, start: u32, end: u32) -> bool {
    let (s, n) = (rows.corners(), end - start);
    if n > 32 {
        return false;
    }
    let (mut found, mut k) = (0_u32, 0);
    while k < n {
        let next = lo(s.get(start + k));
        let mut j = 0;
        while j < n && hi(s.get(start + j)) != next {
            j += 1;
        }
        if j < n {
            found |= 1 << j;
        }
        k += 1;
    }
    found.count_ones() == n
}
