//! Kernels of clustering ([`crate::remesh::cluster`]): every vertex belongs to a cluster, or not yet to one
//! ([`NONE`]).
pub mod assign;
pub mod dual;
pub mod fans;
pub mod parts;
pub mod place;
pub mod seed;

use glam::{DVec3, Vec3};
pub use ribbonmesh::device::NONE;
use ribbonmesh::device::Parameter;

/// Number of sums of a cluster: the weight, then the weight times each coordinate. They are integers, so that
/// their order does not matter.
pub const SUMS: u32 = 4;
/// Number of steps of a coordinate per diagonal of the box that is the unit of [`Grid`].
const STEPS: f64 = (1_u32 << 22) as f64;

/// Coordinates as integers, from the lower corner of the box around the mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Grid {
    /// The corner.
    pub low: Vec3,
    /// Coordinates times this are below 2.
    pub scale: f32,
}
impl Grid {
    /// The integers of a point of the box, each below 2^23.
    #[inline(always)]
    pub fn steps(self, x: Vec3) -> [u64; 3] {
        let steps = (x - self.low).as_dvec3() * (self.scale as f64 * STEPS);
        steps.to_array().map(|t| (t + 0.5) as u64)
    }
    /// The point at the mean of steps: `sums` divided by `weight`.
    #[inline(always)]
    pub fn point(self, sums: [u64; 3], weight: u64) -> Vec3 {
        let mean =
            DVec3::from_array(sums.map(|sum| sum as f64)) / (weight as f64 * STEPS * self.scale as f64);
        (self.low.as_dvec3() + mean).as_vec3()
    }
}
