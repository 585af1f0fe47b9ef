//! Areas by name.
use ribbonmesh::Error;
use std::fmt;
use std::str::FromStr;

/// Which part of its faces' area belongs to a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Area {
    /// A third of each face.
    Barycentric,
    /// Meyer et al. 2003, Figure 4: the Voronoi cell where a face is not obtuse; of an obtuse face half at the obtuse
    /// corner, a quarter at the others. The smaller error on irregular meshes.
    #[default]
    Mixed,
}
impl Area {
    /// Both.
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
