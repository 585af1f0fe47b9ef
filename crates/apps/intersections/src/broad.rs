//! What finds the pairs of faces whose boxes meet.
use ribbonmesh::{Device, DeviceKind, Error, Result};
use std::fmt;
use std::str::FromStr;

/// What finds the pairs of faces whose boxes meet, which are then tested. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Broad {
    /// On a GPU a hash of cells, and a tree instead where boxes crowd in few cells, which a hash cannot tell apart; on a CPU a
    /// tree.
    Automatic,
    /// A bounding volume hierarchy.
    #[default]
    Tree,
    /// A hash of cells: section 3.1 of Chentanez and others 2016, with levels of cells for faces of different sizes. Takes
    /// time in proportion to the square of the faces in a cell.
    Hash,
}
impl Broad {
    /// All.
    pub const ALL: [Self; 3] = [Self::Automatic, Self::Tree, Self::Hash];
    /// Whether a hash is tried on a machine.
    pub(crate) fn tries_hash(self, device: &Device) -> bool {
        match self {
            Self::Automatic => device.kind() == DeviceKind::Cuda,
            Self::Tree => false,
            Self::Hash => true,
        }
    }
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Automatic => "auto",
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
        found.ok_or_else(|| Error::Option {
            option: "broad",
            value: s.to_owned(),
            expected: "auto, tree or hash",
        })
    }
}
