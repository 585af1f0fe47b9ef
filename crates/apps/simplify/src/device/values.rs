//! The attributes that simplification keeps, as kernels see them.
use super::quadric::Record;
use glam::Vec3;
use ribbonmesh::device::{Out, Parameter, Quad};
use ribbonmesh_dynamic::{Refusal, operators};
use ribbonmesh_features::Marks;

/// Refused: a face would turn too far.
pub const TURNS: Refusal = operators::OWN;
/// Refused: a face would become a sliver.
pub const SLIVER: Refusal = operators::OWN + 1;
/// Refused: a corner, a curve's vertex or a boundary would be lost.
pub const PINNED: Refusal = operators::OWN + 2;
/// Refused: the vertex would have too many neighbours.
pub const CROWDED: Refusal = operators::OWN + 3;
/// Refused: the surface would be farther from the input than is allowed.
pub const TOO_FAR: Refusal = operators::OWN + 4;
/// These in words, in their order.
pub const REASONS: [&str; 5] = ["turns", "sliver", "pinned", "crowded", "too_far"];

/// Cost of an edge that is not to be collapsed: bits of infinity.
pub const NEVER: u32 = 0x7f80_0000;
/// Sign of the cost of an edge whose collapse was refused.
pub const REFUSED: u32 = 1 << 31;

/// The distance from the input is limited.
pub const BOUNDED: u32 = 1;

/// Attributes and settings. Positions are scaled by a power of two, so that the diagonal of their box is near 1.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Values<'a> {
    /// Positions.
    pub x: Out<'a, Vec3>,
    /// Quadrics of vertices.
    pub quadrics: Out<'a, Record>,
    /// Of each vertex: see [`ribbonmesh_features::kind`].
    pub kind: Out<'a, u32>,
    /// A vertex of the input for each vertex.
    pub input: Out<'a, u32>,
    /// Bits of the cost of each edge, a positive `f32`, [`NEVER`], or with the sign [`REFUSED`].
    pub cost: Out<'a, u32>,
    /// Where each edge would collapse to, three `f32`; the last word is for plans.
    pub place: Out<'a, Quad>,
    /// Edges of curves inside of the surface.
    pub marks: Marks<'a>,
    /// The limit below which edges are collapsed: see [`crate::select`].
    pub selection: Out<'a, u32>,
    /// [`BOUNDED`] or 0.
    pub flags: u32,
    /// How far the surface may be from the input, if that is [`BOUNDED`].
    pub bound: f32,
    /// Faces may turn by an angle with this cosine.
    pub turn: f32,
}
impl Values<'_> {
    /// Whether a flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}
