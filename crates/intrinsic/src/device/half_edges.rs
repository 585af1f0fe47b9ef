//! Closed oriented triangulations as half-edges, which need no more than that triangles are glued: a triangle
//! may be glued to itself, and two triangles along several sides.
use super::triangle::cotangent;
use ribbonmesh::device::{In, Parameter};

/// Half-edges as kernels read them. Half-edges keep their numbers when edges are flipped, and so do the two
/// of an edge.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct HalfEdges<'a> {
    /// The half-edge on the other side of the edge; never itself.
    pub twin: In<'a, u32>,
    /// The next half-edge around the triangle, counterclockwise.
    pub next: In<'a, u32>,
    /// The vertex at which it begins.
    pub origin: In<'a, u32>,
    /// The length of the edge, at both of its half-edges.
    pub length: In<'a, f64>,
}

impl HalfEdges<'_> {
    /// The three half-edges of a triangle, from one of them on.
    #[inline(always)]
    pub fn around(&self, h: u32) -> [u32; 3] {
        let next = self.next.get(h);
        [h, next, self.next.get(next)]
    }
    /// The number of the edge: the lesser of its half-edges.
    #[inline(always)]
    pub fn edge(&self, h: u32) -> u32 {
        let twin = self.twin.get(h);
        if twin < h { twin } else { h }
    }
    /// The lengths of some half-edges.
    #[inline(always)]
    pub fn lengths(&self, of: [u32; 3]) -> [f64; 3] {
        of.map(|h| self.length.get(h))
    }
    /// The cotangent of the angle opposite to a half-edge.
    #[inline(always)]
    pub fn cotangent(&self, h: u32) -> f64 {
        let [a, b, c] = self.lengths(self.around(h));
        cotangent(a, b, c)
    }
}
