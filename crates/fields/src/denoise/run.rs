//! Denoising a surface.
use crate::denoise::denoiser::denoise_triangles;
use crate::denoise::{DenoiseOptions, DenoiseReport, Denoiser, Method};
use ribbonmesh::Surface;
use ribbonmesh::{Attribute, Result};

/// Moves the vertices of a surface to remove noise and keep sharp edges, as [`Denoiser::denoise`] does.
/// Attributes do not change, except that normals of vertices are recomputed ([`Surface::moved`]). With 0
/// iterations, or where there is no noise, nothing changes. Patches are made only for [`Method::Bilateral`].
/// The other methods round differently on a surface that has patches.
/// # Errors
/// As [`Denoiser::new`] and [`Denoiser::denoise`]; with [`Method::Bilateral`] as [`Surface::patches`]. After
/// an error, the surface is unchanged.
pub fn denoise(surface: &mut Surface, options: &DenoiseOptions) -> Result<DenoiseReport> {
    if options.method == Method::Bilateral {
        return with_patches(surface, options);
    }
    options.check()?;
    let nothing = DenoiseReport { method: options.method, ..DenoiseReport::default() };
    if options.iterations == Some(0) || surface.sizes()?[2] == 0 {
        return Ok(nothing);
    }
    let size = (1.0 / surface.extent("the surface to denoise")?.scale) as f32;
    let (topology, positions) = surface.flat_topology()?;
    let (moved, report) = denoise_triangles(topology, positions, size, options)?;
    if let Some(moved) = moved {
        surface.move_to(moved)?;
    }
    Ok(report)
}

fn with_patches(surface: &mut Surface, options: &DenoiseOptions) -> Result<DenoiseReport> {
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
