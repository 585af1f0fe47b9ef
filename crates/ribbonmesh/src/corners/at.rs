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
impl Points for Positions {
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
    /// How many there are.
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
pub struct PatchCorners {
    corners: Shared<u32>,
    start: u32,
    end: u32,
}
impl Rows {
    /// The corners of owned vertex `v`.
    #[inline(always)]
    pub fn of(&self, v: u32) -> PatchCorners {
        let (start, end) = self.range(v);
        PatchCorners { corners: self.corners(), start, end }
    }
}
impl Corners for PatchCorners {
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
