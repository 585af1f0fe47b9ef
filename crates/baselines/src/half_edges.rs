//! Directed edges as kernels see them.
use ribbonmesh::device::{In, NONE, Parameter};

/// Half-edges in three arrays, and one of them for each vertex and face (thesis 4.4). The half-edges of edge
/// `i` are `2 i` and `2 i + 1`, so a half-edge's twin needs no array.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct HalfEdges<'a> {
    /// The target vertex of each half-edge.
    pub targets: In<'a, u32>,
    /// The face on its left, or [`NONE`] beside the boundary.
    pub faces: In<'a, u32>,
    /// The one after it in its face, or along the boundary.
    pub nexts: In<'a, u32>,
    /// A half-edge that leaves each vertex, or [`NONE`].
    pub of_vertex: In<'a, u32>,
    /// The half-edge of each face from its first vertex to its second.
    pub of_face: In<'a, u32>,
}
impl HalfEdges<'_> {
    /// The other half of the edge.
    #[inline(always)]
    pub fn twin(half: u32) -> u32 {
        half ^ 1
    }
    /// The edge of a half-edge.
    #[inline(always)]
    pub fn edge(half: u32) -> u32 {
        half >> 1
    }
    /// The half-edges that leave vertex `v`, in a walk around it.
    #[inline(always)]
    pub fn around(&self, v: u32, mut f: impl FnMut(u32)) {
        let first = self.of_vertex.get(v);
        if first == NONE {
            return;
        }
        let mut half = first;
        loop {
            f(half);
            half = self.nexts.get(Self::twin(half));
            if half == first {
                return;
            }
        }
    }
    /// The half-edges of face `f`; the first leaves its first vertex.
    #[inline(always)]
    pub fn of(&self, f: u32) -> [u32; 3] {
        let first = self.of_face.get(f);
        let second = self.nexts.get(first);
        [first, second, self.nexts.get(second)]
    }
}
