//! Options and report of wrapping.
use ribbonmesh::{Error, Result};
use ribbonmesh_application::Options;
use serde::Serialize;

/// Options of wrapping.
#[derive(Options, Clone, Copy, Debug, PartialEq)]
#[options(check)]
pub struct WrapOptions {
    /// Cubes of the grid along the longest edge of the bounding box
    #[option(least = 2, most = Self::LIMIT as u64)]
    pub resolution: u32,
    /// Distance of the surface from the triangles before it is drawn to them, in cubes, 0.5 to 8; gaps of
    /// less than twice this are closed
    #[option(unit = "CUBES")]
    pub offset: f64,
    /// Do not ask for winding numbers: only gaps are closed, not holes
    ///
    /// The field is true where points whose winding number is more than one half, in either orientation, are
    /// inside. Faces have to be oriented alike.
    #[option(name = "no_winding", inverted)]
    pub winding: bool,
    /// Whether vertices are drawn to the triangles; else the surface stays where it is.
    #[option(skip)]
    pub project: bool,
}
impl WrapOptions {
    /// The highest resolution.
    pub const LIMIT: u32 = 1024;

    /// Refuses values out of range.
    ///
    /// # Errors
    /// [`Error::Option`] names the option.
    pub fn check(&self) -> Result<()> {
        let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
        if !(2..=Self::LIMIT).contains(&self.resolution) {
            return refuse("resolution", self.resolution.to_string(), "2 to 1024");
        }
        if !(0.5..=8.0).contains(&self.offset) {
            return refuse("offset", self.offset.to_string(), "0.5 to 8 cubes");
        }
        Ok(())
    }
}
impl Default for WrapOptions {
    fn default() -> Self {
        Self { resolution: 128, offset: 1.0, winding: true, project: true }
    }
}

/// Report of [`wrap`](crate::wrap::wrap).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct WrapReport {
    /// Edge of a cube, in the units of the positions.
    pub cell: f64,
    /// Nodes of the grid at which the distance was computed.
    pub nodes: u64,
    /// Vertices of the result.
    pub vertices: u64,
    /// Faces of the result.
    pub faces: u64,
    /// Vertices that were drawn to the triangles.
    pub projected: u64,
    /// Vertices that were moved back because faces would intersect.
    pub taken_back: u64,
    /// Vertices that were not drawn to triangles, and were smoothed instead.
    pub smoothed: u64,
}
