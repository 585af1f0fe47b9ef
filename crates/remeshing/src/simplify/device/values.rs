//! The attributes that simplification keeps, as kernels see them.
use super::quadric::Record;
use glam::Vec3;
use ribbonmesh::device::{Edge, Out, Parameter, Quad, ValuesMut, Vertex};
use ribbonmesh::dynamic::Rejection;
use ribbonmesh::features::Marks;

/// A face would turn too far.
pub const TURNS: Rejection = Rejection::own(0);
/// A face would become a sliver.
pub const SLIVER: Rejection = Rejection::own(1);
/// A corner, a curve's vertex or a boundary would be lost.
pub const PINNED: Rejection = Rejection::own(2);
/// The vertex would have too many neighbours.
pub const CROWDED: Rejection = Rejection::own(3);
/// The surface would be farther from the input than is allowed.
pub const TOO_FAR: Rejection = Rejection::own(4);
/// Names of these reasons, in their order.
pub const REASONS: [&str; 5] = ["turns", "sliver", "pinned", "crowded", "too_far"];
/// Reason of collapses that were undone: a face intersects another one.
pub const INTERSECTS: &str = "intersects";

/// Cost of an edge that is not to be collapsed: bits of infinity.
pub const NEVER: u32 = 0x7f80_0000;
/// Sign of the cost of an edge whose collapse was rejected.
pub const REJECTED: u32 = 1 << 31;

/// The distance from the input is limited.
pub const BOUNDED: u32 = 1;
/// Collapses whose faces intersect others are undone.
pub const CHECKED: u32 = 2;
/// A stage is repeated: only edges that it collapsed before are collapsed.
pub const REPEATED: u32 = 4;

/// Attributes and settings. Positions are scaled by a power of two, so that the diagonal of their box is
/// near 1.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Values<'a> {
    /// Positions.
    pub x: ValuesMut<'a, Vertex, Vec3>,
    /// Quadrics of vertices.
    pub quadrics: ValuesMut<'a, Vertex, Record>,
    /// The kind of each vertex: see [`ribbonmesh::features::kind`].
    pub kind: ValuesMut<'a, Vertex, u32>,
    /// A vertex of the input for each vertex.
    pub input: ValuesMut<'a, Vertex, u32>,
    /// Bits of the cost of each edge, a positive `f32`, [`NEVER`], or with the sign [`REJECTED`].
    pub cost: ValuesMut<'a, Edge, u32>,
    /// The point to which each edge would collapse, three `f32`, and a word that fills up the 16 bytes that
    /// one instruction moves.
    pub place: ValuesMut<'a, Edge, Quad>,
    /// If [`CHECKED`], the edge whose collapse in this pass left each vertex, plus 1, or 0.
    pub seeds: ValuesMut<'a, Vertex, u32>,
    /// If [`REPEATED`], 1 for each edge that may be collapsed.
    pub again: ValuesMut<'a, Edge, u32>,
    /// If [`CHECKED`], 1 for each vertex of a face that intersects another one: see
    /// [`hold`](crate::simplify::check::hold_edges).
    pub held: ValuesMut<'a, Vertex, u32>,
    /// Edges of curves inside of the surface.
    pub marks: Marks<'a>,
    /// The limit below which edges are collapsed: see [`crate::simplify::select`].
    pub selection: Out<'a, u32>,
    /// [`BOUNDED`], [`CHECKED`], [`REPEATED`].
    pub flags: u32,
    /// Greatest distance of the surface from the input; infinity unless that is [`BOUNDED`].
    pub bound: f32,
    /// Cosine of the angle by which faces may turn.
    pub turn: f32,
}
impl Values<'_> {
    /// Whether a flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}
