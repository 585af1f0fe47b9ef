//! Weights by name.
use ribbonmesh::Error;
use std::fmt;
use std::str::FromStr;

/// How the faces at a vertex are weighted. With `a` and `b` the edge vectors of a corner:
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// By area: a corner adds a × b.
    Area,
    /// By the angle at the vertex: a corner adds ∠(a, b) (a × b) / |a × b|. Does not depend on how flat parts are cut into
    /// triangles.
    #[default]
    Angle,
    /// N. Max, "Weights for computing vertex normals from facet normals", 1999: a corner adds (a × b) / (|a|² |b|²), which
    /// is exact for points of a sphere.
    Max,
}
impl Weight {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Area, Self::Angle, Self::Max];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Area => "area",
            Self::Angle => "angle",
            Self::Max => "max",
        }
    }
}
impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for Weight {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> ribbonmesh::Result<Self> {
        let found = Self::ALL.into_iter().find(|w| w.name().eq_ignore_ascii_case(s));
        found.ok_or_else(|| Error::Option {
            option: "weight",
            value: s.to_owned(),
            expected: "area, angle or max",
        })
    }
}
