//! Shapes that painters draw.
use super::error::{Result, RixelError};
use super::heights::Heights;
use super::scene::Scene;
use crate::device::scene::SurfaceArguments;
use ribbonmesh::{Device, Error};

/// Triangles as kernels take them.
pub trait Arguments {
    /// The number of triangles, after a check of all lengths and devices.
    fn check(&self, device: &Device) -> Result<u32>;
    /// The triangles as kernels take them, which [`Arguments::check`] has found right.
    fn arguments(&self) -> SurfaceArguments<'_>;
    /// An error of a kernel in words of the triangles.
    fn named(&self, error: Error) -> RixelError;
}

/// Triangles with values that a [`Painter`](crate::Painter) draws: those of a mesh, [`Scene`], or of a grid,
/// [`Heights`].
#[allow(private_bounds, reason = "nobody else writes kernels' arguments")]
pub trait Shown: Arguments {}
impl Shown for Scene<'_> {}
impl Shown for Heights<'_> {}
