//! Denoising a surface.
use crate::{DenoiseOptions, DenoiseReport, Denoiser};
use ribbonmesh::Surface;
use ribbonmesh::{Attribute, Result};

/// Moves the vertices of a surface so that noise goes and edges stay, as [`Denoiser::denoise`] does. Attributes stay; normals
/// of vertices are computed anew ([`Surface::moved`]). Without an iteration nothing changes.
/// # Errors
/// As [`Surface::patches`], [`Denoiser::new`] and [`Denoiser::denoise`]. The surface is as it was then.
pub fn denoise(surface: &mut Surface, options: &DenoiseOptions) -> Result<DenoiseReport> {
    let (mesh, positions) = surface.patches_mut()?;
    let mut denoiser = Denoiser::new(mesh, options)?;
    let mut denoised = Attribute::zeros(mesh)?;
    let report = denoiser.denoise(positions, &mut denoised)?;
    *positions = denoised;
    if options.iterations > 0 {
        surface.moved();
    }
    Ok(report)
}
