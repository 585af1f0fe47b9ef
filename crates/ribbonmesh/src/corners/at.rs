//! The corners at a vertex, and positions, wherever they are stored.
use super::{Positions, Rows};
use crate::array::GroupsView;
use crate::device::{In, Parameter, Shared, hi, lo};
use glam::Vec3;

/// Positions of vertices by some numbers: local ones of a patch, or ids.
pub trait Points: Copy {
    /// The position of a vertex.
    fn at(&self, vertex: u32) -> Vec3;
}
impl Points for Positions<'_> {
    #[inline(always)]
    fn at(&self, vertex: u32) -> Vec3 {
        self.get(vertex)
    }
}
impl Points for In<'_, Vec3> {
    #[inline(always)]
    fn at(&self, vertex: u32) -> Vec3 {
        self.get(vertex)
    }
}

/// The corners of a vertex, of faces that are not degenerate, in a fixed order.
pub trait Corners: Copy {
    /// The number of corners.
    fn count(&self) -> u32;
    /// The next and the previous vertex of a corner's face.
    fn corner(&self, k: u32) -> (u32, u32);
    /// All of them.
    #[inline(always)]
    fn all(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.count()).map(move |k| self.corner(k))
    }
}

/// A row of [`Rows`].
#[derive(Clone, Copy)]
pub struct PatchCorners<'b> {
    corners: Shared<'b, u32>,
    start: u32,
    end: u32,
}
impl<'b> Rows<'b> {
    /// The corners of owned vertex `v`.
    #[inline(always)]
    pub fn of(&self, v: u32) -> PatchCorners<'b> {
        let (start, end) = self.range(v);
        PatchCorners { corners: self.corners(), start, end }
    }
}
impl Corners for PatchCorners<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.end - self.start
    }
    #[inline(always)]
    fn corner(&self, k: u32) -> (u32, u32) {
        let corner = self.corners.get(self.start + k);
        (lo(corner), hi(corner))
    }
}

/// The corners of all vertices of a mesh without patches: `FlatTopology::corners_of_vertices` lists them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct FlatCorners<'a> {
    /// Three vertices for each face.
    pub faces: In<'a, u32>,
    /// For each vertex its corners.
    pub corners: GroupsView<'a>,
}
impl<'a> FlatCorners<'a> {
    /// The corners of a vertex.
    #[inline(always)]
    pub fn of(&self, vertex: u32) -> VertexCorners<'a> {
        let (start, end) = self.corners.range(vertex);
        VertexCorners { of: *self, start, end }
    }
}

/// The corners of one vertex of [`FlatCorners`].
#[derive(Clone, Copy)]
pub struct VertexCorners<'a> {
    of: FlatCorners<'a>,
    start: u32,
    end: u32,
}
impl VertexCorners<'_> {
    /// A corner as its place in the faces: `3 f + i`.
    #[inline(always)]
    pub fn place(&self, k: u32) -> u32 {
        self.of.corners.places.get(self.start + k)
    }
}
impl Corners for VertexCorners<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.end - self.start
    }
    #[inline(always)]
    fn corner(&self, k: u32) -> (u32, u32) {
        let c = self.place(k);
        (self.of.faces.get(after(c)), self.of.faces.get(before(c)))
    }
}

/// The corners of all vertices of a mesh without patches, and the edges that faces share.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct FlatMesh<'a> {
    /// The corners of each vertex.
    pub corners: FlatCorners<'a>,
    /// For each corner the next one whose side is the same edge: `FlatTopology::ring`.
    pub ring: In<'a, u32>,
}
impl FlatMesh<'_> {
    /// Whether the face of a corner has three different vertices.
    #[inline(always)]
    pub fn is_whole(&self, corner: u32) -> bool {
        let at = |i: u32| self.corners.faces.get(corner / 3 * 3 + i);
        let (a, b, c) = (at(0), at(1), at(2));
        a != b && b != c && c != a
    }
    /// Whether a side is the first of its edge, and whether it is the only one; sides of faces that have a
    /// vertex twice do not count. Linear in the sides of the edge.
    #[inline(always)]
    pub fn first_and_only(&self, side: u32) -> (bool, bool) {
        let (mut first, mut only, mut at) = (true, true, self.ring.get(side));
        while at != side {
            if self.is_whole(at) {
                first &= at > side;
                only = false;
            }
            at = self.ring.get(at);
        }
        (first, only)
    }
    /// Runs `f` for each side of an edge, except for sides of faces that have a vertex twice, beginning with
    /// `first`.
    #[inline(always)]
    pub fn sides_of(&self, first: u32, mut f: impl FnMut(u32)) {
        let mut at = first;
        loop {
            if self.is_whole(at) {
                f(at);
            }
            at = self.ring.get(at);
            if at == first {
                break;
            }
        }
    }
    /// Runs `f` for each edge at a vertex: with its first side, its other end, and whether it has one face
    /// only. Each neighbour comes once, in a fixed order.
    #[inline(always)]
    pub fn edges_of(&self, vertex: u32, mut f: impl FnMut(u32, u32, bool)) {
        let corners = self.corners.of(vertex);
        let mut k = 0;
        while k < corners.count() {
            let (place, (next, previous)) = (corners.place(k), corners.corner(k));
            let mut side = |side: u32, other: u32| {
                let (first, only) = self.first_and_only(side);
                if first {
                    f(side, other, only);
                }
            };
            side(place, next);
            side(before(place), previous);
            k += 1;
        }
    }
}

/// The corner after `c` in its face.
#[inline(always)]
pub fn after(c: u32) -> u32 {
    if c % 3 == 2 { c - 2 } else { c + 1 }
}
/// The corner before `c` in its face.
#[inline(always)]
pub fn before(c: u32) -> u32 {
    if c.is_multiple_of(3) { c + 2 } else { c - 1 }
}
