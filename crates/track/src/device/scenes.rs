//! Kernels that move vertices with the velocities of the scenes.
use super::advect::{Advection, advect};
use super::fields::{CurlNoise, Enright, Rotation, Vortex};
use ribbonmesh::device::{Block, kernel};

macro_rules! motions { ($($(#[$doc:meta])* $name:ident $velocity:ident;)*) => { $(
    $(#[$doc])*
    #[kernel(threads = 256)]
    pub fn $name<'a>(block: &Block, motion: Advection<'a>, velocity: $velocity) {
        advect(block, motion, velocity);
    }
)* } }
motions! {
    /// Makes one step of [`Rotation`].
    rotate Rotation;
    /// Makes one step of [`Enright`].
    deform Enright;
    /// Makes one step of [`Vortex`].
    swirl Vortex;
    /// Makes one step of [`CurlNoise`].
    drift CurlNoise;
}
