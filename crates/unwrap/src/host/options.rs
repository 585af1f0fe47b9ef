//! Options and reports.
use super::distortion::Distortion;
use ribbonmesh::{Error, Result};
use ribbonmesh_application::Options;
use serde::Serialize;

/// Options of [`unwrap`](super::unwrap()).
#[derive(Options, Clone, Copy, Debug, PartialEq)]
#[options(check)]
pub struct UnwrapOptions {
    /// Side of the square texture in texels, 1 to 32,768
    #[option(least = 1, most = 32_768)]
    pub resolution: u32,
    /// Texels per unit of length: the texture is as large as it has to be, at most 32,768 texels wide
    #[option(unit = "TEXELS", conflicts(resolution))]
    pub density: Option<f64>,
    /// Texels between charts, 0 to 256
    #[option(least = 0, most = 256)]
    pub padding: u32,
    /// Normals of a chart are in a cone of this half angle, on average; 1 to 80
    #[option(unit = "DEGREES")]
    pub cone: f64,
    /// Divide charts in which the greatest factor by which lengths change is more than this on average; more
    /// than 1.01
    pub max_stretch: f64,
}
impl Default for UnwrapOptions {
    fn default() -> Self {
        Self { resolution: 1024, density: None, padding: 4, cone: 40.0, max_stretch: 1.2 }
    }
}
/// The greatest side of a texture.
pub const MOST: u32 = 32_768;

impl UnwrapOptions {
    /// # Errors
    /// [`Error::Option`] for a number out of its range.
    pub fn check(&self) -> Result<()> {
        let refuse =
            |option, value: f64, expected| Err(Error::Option { option, value: value.to_string(), expected });
        if !(1..=MOST).contains(&self.resolution) {
            return refuse("resolution", self.resolution.into(), "a whole number from 1 to 32,768");
        }
        if self.padding > 256 {
            return refuse("padding", self.padding.into(), "a whole number from 0 to 256");
        }
        if let Some(density) = self.density
            && !(density > 0.0 && density.is_finite())
        {
            return refuse("density", density, "a positive number");
        }
        if !(1.0..=80.0).contains(&self.cone) {
            return refuse("cone", self.cone, "a number from 1 to 80");
        }
        if !(self.max_stretch > 1.01 && self.max_stretch.is_finite()) {
            return refuse("max_stretch", self.max_stretch, "a number greater than 1.01");
        }
        Ok(())
    }
}

/// Report of [`unwrap`](super::unwrap()).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct UnwrapReport {
    /// Charts.
    pub charts: usize,
    /// Side of the square texture in texels.
    pub resolution: u32,
    /// Texels per unit of length.
    pub density: f64,
    /// The part of the texture's area that triangles cover.
    pub used: f64,
    /// The length of the seams on the surface, along which charts meet or a chart meets itself, as a multiple
    /// of the root of the area.
    pub seams: f64,
    /// The distortion of all charts.
    #[serde(flatten)]
    pub distortion: Distortion,
    /// Triangles that are turned over on the texture: none.
    pub flipped: usize,
    /// Triangles without area on the texture: those whose size is below the precision of its coordinates.
    pub collapsed: usize,
    /// Faces that have a vertex twice, whose corners are all at 0 0.
    pub degenerate_faces: usize,
    /// Times that a chart was halved, because it would have been stretched too much or have lain on itself.
    pub halved: usize,
    /// The most steps of Newton's method that a chart took.
    pub steps: u32,
}
