//! The attributes that remeshing keeps, as kernels see them.
use super::held::SLOPE;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Parameter, ValuesMut, Vertex, VertexId};
use ribbonmesh::dynamic::Rejection;
use ribbonmesh::features::Marks;

/// An edge would be longer than 4/3 of the target length.
pub const TOO_LONG: Rejection = Rejection::own(0);
/// A face would turn over, or away from its direction; or, where they are [`SHARP`], the surface would move
/// too far.
pub const TURNS: Rejection = Rejection::own(1);
/// A face would become a sliver.
pub const SLIVER: Rejection = Rejection::own(2);
/// A corner, a curve's vertex or a boundary would be lost.
pub const PINNED: Rejection = Rejection::own(3);
/// The cavity exceeds a limit: an end has more faces, more edges of the cavity are on curves, or they are
/// farther along its loop, than is provided for.
pub const CROWDED: Rejection = Rejection::own(4);
/// A face would be made again that intersected another one.
pub const INTERSECTS: Rejection = Rejection::own(5);
/// Name of [`INTERSECTS`].
pub const OF_INTERSECTIONS: &str = "intersects";
/// Names of these reasons, in their order.
pub const REASONS: [&str; 6] = ["too_long", "turns", "sliver", "pinned", "crowded", OF_INTERSECTIONS];

/// The boundary stays as it is.
pub const FIXED: u32 = 1;
/// Target lengths differ from vertex to vertex.
pub const SIZED: u32 = 2;
/// Vertices are projected.
pub const PROJECTED: u32 = 4;

/// Target lengths fall off from edges that stay, and do not differ otherwise.
pub const HELD: u32 = 8;

/// Features are kept: slivers between them are removed where that makes the triangles better on the whole.
pub const SHARP: u32 = 16;

/// Vertices are barred: those of faces that would intersect others, or those of a part that other parts have.
pub const CHECKED: u32 = 32;

/// A vertex of [`Values::barred`]: no edge at it is collapsed.
pub const NO_COLLAPSE: u32 = 1;
/// A vertex of [`Values::barred`]: no edge is flipped so that it joins two of them.
pub const NO_FLIP: u32 = 2;
/// A vertex of [`Values::barred`]: no boundary edge between two of them is split.
pub const NO_SPLIT: u32 = 4;
/// Bits of [`Values::barred`] that a vertex has which is made between two others that have them.
pub const OF_MIDDLE: u32 = NO_COLLAPSE | NO_FLIP;
/// Number of bits of [`Values::barred`]. In parts, the number of a vertex that stays follows them.
pub const BITS: u32 = 3;

/// Greatest distance, in target lengths, by which a collapse may move the surface away from a face, and a
/// feature from its position, where features are [`SHARP`].
pub const FAR: f32 = 0.1;

/// The kind of a vertex at which two curves that are being merged part, in addition to the kinds of
/// [`ribbonmesh::features::kind`]. It stays until there is one curve on either side.
pub const JOINT: u32 = 3;

/// Attributes and settings. Positions and lengths are scaled by a power of two, so that the diagonal of the
/// input's box is near 1.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Values<'a> {
    /// Positions.
    pub x: ValuesMut<'a, Vertex, Vec3>,
    /// The kind of each vertex: see [`ribbonmesh::features::kind`] and [`JOINT`].
    pub kind: ValuesMut<'a, Vertex, u32>,
    /// Target length at each vertex, where these are [`SIZED`].
    pub size: ValuesMut<'a, Vertex, f32>,
    /// A face of the input near each vertex, where they are [`PROJECTED`].
    pub near: ValuesMut<'a, Vertex, u32>,
    /// The distance that each vertex of a curve has moved from the features that were merged there, where
    /// they are [`SHARP`].
    pub moved: ValuesMut<'a, Vertex, f32>,
    /// Valence of each vertex minus the best one, 6, or 4 on the boundary. Valid during flips.
    pub excess: ValuesMut<'a, Vertex, u32>,
    /// Bits for the vertices of faces that intersected others and were taken back, or of vertices that stay
    /// since other parts have them, where that is [`CHECKED`]: see [`NO_COLLAPSE`], [`NO_FLIP`] and
    /// [`NO_SPLIT`].
    pub barred: ValuesMut<'a, Vertex, u32>,
    /// Edges of curves inside of the surface.
    pub marks: Marks<'a>,
    /// The target length, where it is the same everywhere.
    pub length: f32,
    /// Edges between two curves that are shorter than this, in target lengths, are collapsed, where they are
    /// [`SHARP`].
    pub merge: f32,
    /// Bits: [`FIXED`], [`SIZED`], [`PROJECTED`], [`HELD`], [`SHARP`],
    /// [`CHECKED`].
    pub flags: u32,
}
impl Values<'_> {
    /// Whether a flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// Whether a vertex has a bit of [`Values::barred`].
    #[inline(always)]
    pub fn is_barred(&self, v: VertexId, bit: u32) -> bool {
        self.has(CHECKED) && self.barred.get(v) & bit != 0
    }
    /// Whether a boundary edge stays as it is.
    #[inline(always)]
    pub fn stays(&self, a: VertexId, b: VertexId) -> bool {
        self.has(FIXED) || self.is_barred(a, NO_SPLIT) && self.is_barred(b, NO_SPLIT)
    }
    /// The target length of an edge.
    #[inline(always)]
    pub fn target(&self, a: VertexId, b: VertexId) -> f32 {
        if self.has(SIZED) { self.size.get(a).min(self.size.get(b)) } else { self.length }
    }
    /// The target length at the middle of an edge.
    #[inline(always)]
    pub fn size_between(&self, a: VertexId, b: VertexId) -> f32 {
        let (s, t) = (self.size.get(a), self.size.get(b));
        if self.has(HELD) {
            let half = 0.5 * sqrt((self.x.get(a) - self.x.get(b)).length_squared());
            return self.length.max(s.max(t) - SLOPE * half);
        }
        0.5 * (s + t)
    }
    /// Squared length over the squared target length of an edge.
    #[inline(always)]
    pub fn ratio(&self, a: VertexId, b: VertexId) -> f32 {
        let l = self.target(a, b);
        (self.x.get(a) - self.x.get(b)).length_squared() / (l * l)
    }
}
