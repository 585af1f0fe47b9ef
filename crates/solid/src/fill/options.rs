//! Options of filling holes.
use ribbonmesh_application::Choice;
use ribbonmesh_mesh::OptionError;

/// Method by which a hole is filled.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Triangles between the vertices of the boundary loop.
    Flat,
    /// These triangles are refined to the density of the surface around the hole, and faired, so that they
    /// continue its curvature (Liepa 2003).
    #[default]
    Smooth,
}
/// Choice of the holes to fill, and of the method. By default all holes but outer borders are filled
/// smoothly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FillOptions {
    /// Method of filling.
    pub method: Method,
    /// Leave holes of more edges. `None`: no limit.
    pub up_to: Option<u32>,
    /// Leave holes with a longer boundary, in the units of the positions. `None`: no limit.
    pub perimeter: Option<f64>,
    /// Leave the hole with the longest boundary.
    pub keep_largest: bool,
    /// Also fill the outer borders of open surfaces: loops at which the surface is on the inner side, such as
    /// the border of a terrain or of a flat sheet. Otherwise these are left.
    pub borders: bool,
    /// Join two rims that face each other, like those of a tube in which a ring is missing, by a strip of
    /// faces. Used only if `join` is `None`.
    pub rings: bool,
    /// Join pairs of holes whose boundaries are near each other by a strip of faces between the two, before
    /// the others are filled. The boundaries are near if enough pairs of their vertices are at most this far
    /// apart, in the units of the positions. `up_to` and `perimeter` do not exclude holes that are joined.
    /// `None`: no holes are joined.
    pub join: Option<f64>,
    /// Holes of at most this many edges get the triangulation of least weight, which takes time proportional
    /// to the cube of the edges. For larger ones ears are cut. At most [`FillOptions::EXACT_LIMIT`].
    pub exact_up_to: u32,
}

impl FillOptions {
    /// The largest value of [`exact_up_to`](Self::exact_up_to): the tables have 48 bytes per pair of edges.
    pub const EXACT_LIMIT: u32 = 2000;

    /// Refuses values out of range.
    pub(crate) fn check(&self) -> Result<(), OptionError> {
        if let Some(length) = self.perimeter.filter(|length| !(*length >= 0.0 && length.is_finite())) {
            return Err(OptionError::value("perimeter", length, "a finite number, 0 or above"));
        }
        if let Some(length) = self.join.filter(|length| !(*length > 0.0 && length.is_finite())) {
            return Err(OptionError::value("join", length, "a finite number above 0"));
        }
        if self.exact_up_to > Self::EXACT_LIMIT {
            return Err(OptionError::value("exact_up_to", self.exact_up_to, "at most 2000"));
        }
        Ok(())
    }
}

impl Default for FillOptions {
    fn default() -> Self {
        Self {
            method: Method::default(),
            up_to: None,
            perimeter: None,
            keep_largest: false,
            borders: false,
            rings: true,
            join: None,
            exact_up_to: 800,
        }
    }
}
