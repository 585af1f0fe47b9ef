//! Methods by name.
use ribbonmesh::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// How vertices are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Offsets of neighbours along the normal, weighted (Fleishman, Drori and Cohen-Or 2003; thesis 4.5.3).
    Bilateral,
    /// The normals of faces are filtered (Zheng, Fu, Au and Tai 2011), then vertices follow them (Sun, Rosin, Martin and
    /// Langbein 2007).
    #[default]
    Normals,
    /// λ|μ smoothing, which keeps no edges (Taubin 1995).
    Taubin,
}
impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Bilateral, Self::Normals, Self::Taubin];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bilateral => "bilateral",
            Self::Normals => "normals",
            Self::Taubin => "taubin",
        }
    }
}
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for Method {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|m| m.name().eq_ignore_ascii_case(s));
        found.ok_or_else(|| Error::Option {
            option: "method",
            value: s.to_owned(),
            expected: "bilateral, normals or taubin",
        })
    }
}
