//! Options of cleaning.
use crate::Bytes;
use ribbonmesh::{Error, Result};
use ribbonmesh_application::Choice;
use ribbonmesh_solid::fill::Method;
use ribbonmesh_solid::wrap::WrapOptions;

/// Whether a mesh is wrapped.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[choice(option = "wrap")]
pub enum Wrapping {
    /// Where its triangles cannot be repaired one by one.
    #[default]
    WhenNeeded,
    /// In any case, at once.
    Always,
    /// Never: there is an error instead.
    Never,
}

/// Choice of the vertices that are welded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weld {
    /// Vertices at the same position; at borders, also vertices at most a hundred-thousandth of the bounding
    /// box's diagonal apart ([`STITCH`](ribbonmesh_solid::repair::STITCH)).
    #[default]
    Usual,
    /// Vertices at most this far apart, in the units of the positions.
    Within(f64),
    /// No vertices.
    Never,
}

/// Options of [`clean`](crate::clean()).
#[derive(Clone, Debug, PartialEq)]
pub struct CleanOptions {
    /// Greatest number of faces. A closed surface has an even number, so an odd limit counts as one less.
    /// `None`: no limit.
    pub faces: Option<u32>,
    /// Choice of the vertices that are welded. At borders, edges are split at vertices on them, up to the
    /// same distance.
    pub weld: Weld,
    /// Components of fewer faces than this are dropped.
    pub remove_components: u32,
    /// Method of filling holes.
    pub filling: Method,
    /// Whether the mesh is wrapped.
    pub wrapping: Wrapping,
    /// Options of wrapping.
    pub wrap: WrapOptions,
    /// Memory that cleaning may take, with the input and the result. A mesh is refused if its numbers of
    /// vertices and faces say that this may not be enough; the grid of a wrap is not counted. `None`: any.
    pub memory: Option<Bytes>,
    /// Greatest number of faces of a wrap, as a multiple of the mesh's number. A wrap with more is
    /// simplified, and its grid is coarser from the start if that is enough; a thousand faces are always
    /// allowed. `None`: any number.
    pub most_growth: Option<u32>,
}
impl CleanOptions {
    pub(crate) fn check(&self) -> Result<()> {
        if self.faces.is_some_and(|faces| faces < 4) {
            let value = self.faces.unwrap_or(0).to_string();
            return Err(Error::Option { option: "faces", value, expected: "at least 4" });
        }
        if self.most_growth == Some(0) {
            return Err(Error::Option { option: "most growth", value: "0".into(), expected: "at least 1" });
        }
        Ok(())
    }
}
impl Default for CleanOptions {
    /// Welds vertices at the same position and closes cracks, fills smoothly, and wraps when needed, with at
    /// most 50 times the faces.
    fn default() -> Self {
        Self {
            faces: None,
            weld: Weld::default(),
            remove_components: 0,
            filling: Method::Smooth,
            wrapping: Wrapping::default(),
            wrap: WrapOptions::default(),
            memory: None,
            most_growth: Some(50),
        }
    }
}
