//! Smoothing a surface.
use crate::smooth::flat_system::smooth_triangles;
use crate::smooth::{SmoothOptions, SmoothReport, Smoother};
use ribbonmesh::Surface;
use ribbonmesh::{Error, Result};

/// Moves the vertices of a surface by mean curvature flow, as [`Smoother::smooth`] does. Attributes do not
/// change, except that normals of vertices are recomputed ([`Surface::moved`]). With 0 steps nothing changes.
/// Where a vertex has too many faces for a patch, the matrix is assembled in flat arrays, whatever the
/// solver.
/// # Errors
/// As [`Surface::patches`], [`Smoother::new`] and [`Smoother::smooth`]. After an error, the surface is
/// unchanged.
pub fn smooth(surface: &mut Surface, options: &SmoothOptions) -> Result<SmoothReport> {
    let (mesh, positions) = match surface.patches_mut() {
        Err(Error::PatchTooLarge { .. }) => return smooth_flat(surface, options),
        patches => patches?,
    };
    let mut smoother = Smoother::new(mesh, options)?;
    let mut smoothed = positions.try_clone()?;
    let report = smoother.smooth(&mut smoothed)?;
    *positions = smoothed;
    if !report.steps.is_empty() {
        surface.moved();
    }
    Ok(report)
}

fn smooth_flat(surface: &mut Surface, options: &SmoothOptions) -> Result<SmoothReport> {
    let scale = surface.extent("the surface to smooth")?.scale;
    let mean = surface.mean_edge_length(scale)? / scale;
    let (topology, positions) = surface.flat_topology()?;
    let mut smoothed = positions.try_clone()?;
    let report = smooth_triangles(topology, &mut smoothed, mean, options)?;
    if !report.steps.is_empty() {
        surface.move_to(smoothed)?;
    }
    Ok(report)
}
