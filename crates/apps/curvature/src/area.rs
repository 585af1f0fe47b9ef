//! Areas of vertices.
use ribbonmesh::Error;
use std::fmt;
use std::str::FromStr;

/// Definition of a vertex's area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Area {
    /// A third of each face.
    Barycentric,
    /// Meyer et al. 2003, Figure 4: the Voronoi cell in faces that are not obtuse; in an obtuse face, half of its area
    /// at the obtuse corner and a quarter at the others. More accurate on irregular meshes.
    #[default]
    Mixed,
}
impl Area {
    /// Both definitions.
    pub const ALL: [Self; 2] = [Self::Barycentric, Self::Mixed];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Barycentric => "barycentric",
            Self::Mixed => "mixed",
        }
    }
}
impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for Area {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> ribbonmesh::Result<Self> {
        let found = Self::ALL.into_iter().find(|a| a.name().eq_ignore_ascii_case(s));
        found.ok_or_else(|| Error::Option {
            option: "area",
            value: s.to_owned(),
            expected: "barycentric or mixed",
        })
    }
}
