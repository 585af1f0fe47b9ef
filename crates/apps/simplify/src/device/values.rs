//! The attributes that simplification keeps, as kernels see them.
use super::quadric::Record;
use glam::Vec3;
use ribbonmesh::device::{NONE, Out, Quad};
use ribbonmesh_dynamic::{DynamicView, Refusal, operators};

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

/// Kind of a vertex: may be joined with any neighbour.
pub const FREE: u32 = 0;
/// Kind of a vertex: inside of a curve, along which it may be joined.
pub const CURVE: u32 = 1;
/// Kind of a vertex: stays.
pub const CORNER: u32 = 2;

/// Mark of an edge: of a curve inside of the surface. The other bits are for plans.
pub const MARKED: u32 = 1 << 31;
/// Most vertices around a collapse, each of which has a bit in a plan.
pub const MOST_AROUND: u32 = 31;

/// Cost of an edge that is not to be collapsed: bits of infinity.
pub const NEVER: u32 = 0x7f80_0000;
/// Sign of the cost of an edge whose collapse was refused.
pub const REFUSED: u32 = 1 << 31;

/// There are marked edges.
pub const HAS_MARKS: u32 = 1;
/// The distance from the input is limited.
pub const BOUNDED: u32 = 2;

/// Attributes and settings. Positions are scaled by a power of two, so that the diagonal of their box is near 1.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// Positions.
    pub x: Out<'a, Vec3>,
    /// Quadrics of vertices.
    pub quadrics: Out<'a, Record>,
    /// [`FREE`], [`CURVE`] or [`CORNER`], of each vertex.
    pub kind: Out<'a, u32>,
    /// A vertex of the input for each vertex.
    pub input: Out<'a, u32>,
    /// Bits of the cost of each edge, a positive `f32`, [`NEVER`], or with the sign [`REFUSED`].
    pub cost: Out<'a, u32>,
    /// Where each edge would collapse to, three `f32`; the last word is for plans.
    pub place: Out<'a, Quad>,
    /// [`MARKED`] or not, of each edge, if the mesh [`HAS_MARKS`].
    pub marks: Out<'a, u32>,
    /// The limit below which edges are collapsed: see [`crate::select`].
    pub selection: Out<'a, u32>,
    /// Bits: [`HAS_MARKS`], [`BOUNDED`].
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
    /// Whether an edge inside of the surface is part of a curve.
    #[inline(always)]
    pub fn marked(&self, e: u32) -> bool {
        self.has(HAS_MARKS) && self.marks.get(e) & MARKED != 0
    }
    /// Whether half-edge `h` lies on a curve: on the boundary, or marked.
    #[inline(always)]
    pub fn of_curve(&self, mesh: DynamicView<'_>, h: u32) -> bool {
        let dart = mesh.dart(h);
        mesh.eh.get(dart ^ 1) == NONE || self.marked(dart >> 1)
    }
}

/// The power of two not above a number: as a priority, it leaves more to chance, and the fewer edges wait for each
/// other, the fewer rounds there are.
#[inline(always)]
pub fn coarse(cost: f32) -> f32 {
    f32::from_bits(cost.to_bits() & 0xff80_0000)
}

/// The ends of an edge with these half-edges, one of them at least.
#[inline(always)]
pub fn ends(mesh: DynamicView<'_>, [h0, h1]: [u32; 2]) -> [u32; 2] {
    if h0 != NONE { [mesh.from(h0), mesh.to(h0)] } else { [mesh.to(h1), mesh.from(h1)] }
}
