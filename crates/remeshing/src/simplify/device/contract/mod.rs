//! Contraction of pairs of vertices, whether an edge joins them or not, on flat arrays and without a link
//! condition (M. Garland, P. S. Heckbert, 1997, section 3). The triangles need not be a manifold.
//!
//! A round prices all pairs ([`price`]), chooses the cheapest of them so that no two have neighbouring ends
//! ([`choose`]), and contracts these ([`apply`]). Pairs that are not edges are found with a grid ([`near`]).
use super::quadric::Record;
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::{In, Parameter};

pub mod apply;
pub mod choose;
pub mod near;
pub mod price;

/// No index.
pub const NONE: u32 = u32::MAX;

/// Triangles with positions and quadrics.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Complex<'a> {
    /// Positions.
    pub x: In<'a, Vec3>,
    /// Quadrics of vertices.
    pub quadrics: In<'a, Record>,
    /// Three vertices for each face, which differ.
    pub faces: In<'a, u32>,
    /// The corners at each vertex.
    pub corners: GroupsView<'a>,
}

/// A face at a vertex: its number, and its other two vertices, so that it runs from the vertex to the first
/// of them.
#[derive(Clone, Copy)]
pub struct Around {
    /// Its number.
    pub face: u32,
    /// The next vertex.
    pub u: u32,
    /// The one after.
    pub w: u32,
}
impl Around {
    /// Whether it has this vertex.
    #[inline(always)]
    pub fn has(&self, v: u32) -> bool {
        self.u == v || self.w == v
    }
    /// Whether the two have the same further vertices in the same order.
    #[inline(always)]
    pub fn equals(&self, other: &Self) -> bool {
        self.u == other.u && self.w == other.w
    }
    /// Whether the two have the same further vertices in the opposite order.
    #[inline(always)]
    pub fn opposes(&self, other: &Self) -> bool {
        self.u == other.w && self.w == other.u
    }
}

impl Complex<'_> {
    /// The range of the faces of a vertex, for [`Complex::around`].
    #[inline(always)]
    pub fn range(&self, v: u32) -> (u32, u32) {
        (self.corners.starts.get(v), self.corners.starts.get(v + 1))
    }
    /// The face with index `i` in a range of [`Complex::range`].
    #[inline(always)]
    pub fn around(&self, i: u32) -> Around {
        around(self.corners.places.get(i), |c| self.faces.get(c))
    }
}

/// The face at corner `c`, seen from the corner's vertex.
#[inline(always)]
pub fn around(c: u32, vertex: impl Fn(u32) -> u32) -> Around {
    let (face, k) = (c / 3, c % 3);
    let corner = |k: u32| vertex(3 * face + if k < 3 { k } else { k - 3 });
    Around { face, u: corner(k + 1), w: corner(k + 2) }
}
