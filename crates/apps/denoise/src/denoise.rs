//! Denoising a surface.
use crate::{DenoiseOptions, DenoiseReport, Denoiser};
use ribbonmesh::Surface;
use ribbonmesh::{Attribute, Result};

/// Moves the vertices of a surface to remove noise and keep sharp edges, as [`Denoiser::denoise`] does. Attributes do
/// not change, except that normals of vertices are recomputed ([`Surface::moved`]). With 0 iterations, or where there is no noise, nothing changes.
/// # Errors
/// As [`Surface::patches`], [`Denoiser::new`] and [`Denoiser::denoise`]. After an error, the surface is unchanged.
pub fn denoise(surface: &mut Surface, options: &DenoiseOptions) -> Result<DenoiseReport> {
    let (mesh, positions) = surface.patches_mut()?;
    let mut denoiser = Denoiser::new(mesh, options)?;
    let mut denoised = Attribute::zeros(mesh)?;
    let report = denoiser.denoise(positions, &mut denoised)?;
    *positions = denoised;
    if report.iterations > 0 {
        surface.moved();
    }
    Ok(report)
}
