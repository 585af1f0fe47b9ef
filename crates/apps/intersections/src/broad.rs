//! Search for the pairs of faces whose boxes meet.
use ribbonmesh::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// Method that finds the pairs of faces whose boxes meet, which are then tested. The result does not depend
/// on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Broad {
    /// A bounding volume hierarchy: faster for every mesh measured, on both machines.
    #[default]
    Tree,
    /// A hash of cells: section 3.1 of Chentanez and others 2016, with levels of cells for faces of different
    /// sizes. Takes time in proportion to the square of the faces in a cell.
    Hash,
}
impl Broad {
    /// All.
    pub const ALL: [Self; 2] = [Self::Tree, Self::Hash];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Hash => "hash",
        }
    }
}
impl fmt::Display for Broad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for Broad {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|broad| broad.name().eq_ignore_ascii_case(s));
        found.ok_or_else(|| Error::Option { option: "broad", value: s.to_owned(), expected: "tree or hash" })
    }
}
