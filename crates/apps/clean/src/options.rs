//! Options.
use ribbonmesh::{Error, Result};
use ribbonmesh_application::Choice;
use ribbonmesh_fill::Method;
use ribbonmesh_wrap::WrapOptions;

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

/// Which vertices become one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weld {
    /// Those at the same place; where surfaces end, those at most a hundred-thousandth of the bounding box's
    /// diagonal apart ([`STITCH`](ribbonmesh_repair::STITCH)).
    #[default]
    Usual,
    /// Those at most this far apart, in the units of the positions.
    Within(f64),
    /// None.
    Never,
}

/// How to clean.
#[derive(Clone, Debug, PartialEq)]
pub struct CleanOptions {
    /// How many faces are wanted, at most. A closed surface has an even number: of an odd one, one less is
    /// wanted. None: as many as there are.
    pub faces: Option<u32>,
    /// Which vertices become one. Where surfaces end, edges are split at vertices that lie on them, up to the
    /// same distance.
    pub weld: Weld,
    /// Components of fewer faces than this are left out.
    pub remove_components: u32,
    /// How holes are filled.
    pub filling: Method,
    /// Whether the mesh is wrapped.
    pub wrapping: Wrapping,
    /// How it is wrapped.
    pub wrap: WrapOptions,
    /// How many times as many faces as the mesh a wrap may have: more are simplified, and the grid is coarser
    /// from the start where that is enough; a thousand are always allowed. None: any number.
    pub most_growth: Option<u32>,
    /// How far the outer surface may be from what resolving intersections leaves, in diagonals of the
    /// bounding box: farther, parts were lost, and the mesh is wrapped.
    pub most_deviation: f64,
}
impl CleanOptions {
    pub(crate) fn check(&self) -> Result<()> {
        if self.most_deviation.is_nan() || self.most_deviation <= 0.0 {
            let value = self.most_deviation.to_string();
            return Err(Error::Option { option: "most deviation", value, expected: "a number above 0" });
        }
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
    /// Welds vertices at the same place and closes cracks, fills smoothly, wraps when that is needed, with at
    /// most 50 times the faces.
    fn default() -> Self {
        Self {
            faces: None,
            weld: Weld::default(),
            remove_components: 0,
            filling: Method::Smooth,
            wrapping: Wrapping::default(),
            wrap: WrapOptions::default(),
            most_growth: Some(50),
            most_deviation: 0.02,
        }
    }
}
