//! Size and style of a picture.
use crate::{RenderError, Rgb};

/// The background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// A colour.
    Colour(Rgb),
    /// Transparent: pixels have alpha.
    Transparent,
}

/// Size and style of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Samples along a pixel's side, 1 to 8.
    pub samples: u32,
    /// The background.
    pub background: Background,
    /// Whether normals are interpolated over faces; otherwise faces are shaded flat.
    pub smooth: bool,
    /// Width of edge lines in pixels; 0 draws no edges. Lines are paler on faces that are hardly wider than
    /// the lines.
    pub edges: f32,
    /// Colour of these lines.
    pub edge_colour: Rgb,
    /// Strength of ambient occlusion, from 0 (none).
    pub obscurance: f32,
    /// Colour of vertices without a finite value, under [`crate::Colouring::Scalar`].
    pub no_value: Rgb,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: 1200,
            height: 900,
            samples: 3,
            background: Background::Colour([255; 3]),
            smooth: true,
            edges: 0.0,
            edge_colour: [30, 34, 42],
            obscurance: 1.0,
            no_value: [150, 150, 150],
        }
    }
}

/// Most samples of a picture: they take 8 bytes each.
const LIMIT: u64 = 1 << 28;

impl Style {
    /// Checks that the picture has pixels, and at most 2²⁸ samples.
    /// # Errors
    /// [`RenderError::Size`].
    pub fn check(&self) -> Result<(), RenderError> {
        let Self { width, height, samples, .. } = *self;
        let refuse = |reason| Err(RenderError::Size { width, height, samples, reason });
        if width == 0 || height == 0 {
            return refuse("there are no pixels");
        }
        if !(1..=8).contains(&samples) {
            return refuse("samples along a side must be 1 to 8");
        }
        if u64::from(width) * u64::from(height) > LIMIT / u64::from(samples * samples) {
            return refuse("at most 268435456 samples in all");
        }
        Ok(())
    }
}
