//! Smoothing a surface.
use crate::{SmoothOptions, SmoothReport, Smoother};
use ribbonmesh::Result;
use ribbonmesh::Surface;

/// Moves the vertices of a surface by mean curvature flow, as [`Smoother::smooth`] does. Attributes do not change,
/// except that normals of vertices are recomputed ([`Surface::moved`]). With 0 steps nothing changes.
/// # Errors
/// As [`Surface::patches`], [`Smoother::new`] and [`Smoother::smooth`]. After an error, the surface is unchanged.
pub fn smooth(surface: &mut Surface, options: &SmoothOptions) -> Result<SmoothReport> {
    let (mesh, positions) = surface.patches_mut()?;
    let mut smoother = Smoother::new(mesh, options)?;
    let mut smoothed = positions.try_clone()?;
    let report = smoother.smooth(&mut smoothed)?;
    *positions = smoothed;
    if !report.steps.is_empty() {
        surface.moved();
    }
    Ok(report)
}
