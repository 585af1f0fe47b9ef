//! The attributes that remeshing keeps, as kernels see them.
use glam::Vec3;
use ribbonmesh::device::{Out, Parameter};
use ribbonmesh_dynamic::{Refusal, operators};
use ribbonmesh_features::Marks;

/// Refused: an edge would be longer than 4/3 of the target length.
pub const TOO_LONG: Refusal = operators::OWN;
/// Refused: a face would turn over, or away from where it looked.
pub const TURNS: Refusal = operators::OWN + 1;
/// Refused: a face would become a sliver.
pub const SLIVER: Refusal = operators::OWN + 2;
/// Refused: a corner, a curve's vertex or a boundary would be lost.
pub const PINNED: Refusal = operators::OWN + 3;
/// Refused: more edges of the cavity lie on curves, or farther along its loop, than is provided for.
pub const CROWDED: Refusal = operators::OWN + 4;
/// These in words, in their order.
pub const REASONS: [&str; 5] = ["too_long", "turns", "sliver", "pinned", "crowded"];

/// The boundary stays as it is.
pub const FIXED: u32 = 1;
/// Target lengths differ from vertex to vertex.
pub const SIZED: u32 = 2;
/// Vertices are projected.
pub const PROJECTED: u32 = 4;

/// Attributes and settings. Positions and lengths are scaled by a power of two, so that the diagonal of the input's box is
/// near 1.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Values<'a> {
    /// Positions.
    pub x: Out<'a, Vec3>,
    /// Of each vertex: see [`ribbonmesh_features::kind`].
    pub kind: Out<'a, u32>,
    /// Target length at each vertex, where these are [`SIZED`].
    pub size: Out<'a, f32>,
    /// A face of the input near each vertex, where they are [`PROJECTED`].
    pub near: Out<'a, u32>,
    /// Valence of each vertex minus the best one, 6, or 4 on the boundary. True during flips.
    pub excess: Out<'a, u32>,
    /// Edges of curves inside of the surface.
    pub marks: Marks<'a>,
    /// The target length, where it is the same everywhere.
    pub length: f32,
    /// Bits: [`FIXED`], [`SIZED`], [`PROJECTED`].
    pub flags: u32,
}
impl Values<'_> {
    /// Whether a flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// The target length of an edge.
    #[inline(always)]
    pub fn target(&self, a: u32, b: u32) -> f32 {
        if self.has(SIZED) { self.size.get(a).min(self.size.get(b)) } else { self.length }
    }
    /// Squared length over the squared target length of an edge.
    #[inline(always)]
    pub fn ratio(&self, a: u32, b: u32) -> f32 {
        let l = self.target(a, b);
        (self.x.get(a) - self.x.get(b)).length_squared() / (l * l)
    }
}
