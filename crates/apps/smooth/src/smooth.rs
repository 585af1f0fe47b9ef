//! Smoothing a surface.
use crate::{SmoothOptions, SmoothReport, Smoother};
use ribbonmesh::Result;
use ribbonmesh::Surface;

/// Moves the vertices of a surface by mean curvature flow, as [`Smoother::smooth`] does. Attributes stay; normals of vertices
/// are computed anew ([`Surface::moved`]). Without a step nothing changes.
/// # Errors
/// As [`Surface::patches`], [`Smoother::new`] and [`Smoother::smooth`]. The surface is as it was then.
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
