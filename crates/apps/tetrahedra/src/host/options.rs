//! Options.
use ribbonmesh::Error;
use std::fmt;
use std::str::FromStr;

/// How large the cells are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellSize {
    /// The length of the long edges of the lattice, in the units of the surface; the short ones have √3/2 of
    /// it. It is rounded to single precision.
    Length(f64),
    /// About this many tetrahedra: the length at which the lattice has as many in the volume that the surface
    /// encloses.
    Cells(u64),
}

/// Rule that decides which points are inside a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InsideRule {
    /// Where the winding number is not 0: parts that overlap are one volume, cavities are those whose faces
    /// look into them. Faces have to be oriented alike.
    #[default]
    Winding,
    /// Where rays cross the surface an odd number of times, whatever the orientation of faces: where two
    /// parts overlap is outside.
    Parity,
}
impl InsideRule {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::Winding, Self::Parity];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Winding => "winding",
            Self::Parity => "parity",
        }
    }
}
impl fmt::Display for InsideRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for InsideRule {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|rule| rule.name().eq_ignore_ascii_case(s));
        found.ok_or_else(|| Error::Option {
            option: "inside",
            value: s.to_owned(),
            expected: "winding or parity",
        })
    }
}

/// Options of [`tetrahedralize`](crate::tetrahedralize).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetrahedraOptions {
    /// How large the cells are.
    pub size: CellSize,
    /// Rule that decides which points are inside.
    pub inside: InsideRule,
    /// Whether to look for faces of the surface that intersect, for the report. The result does not depend on
    /// it.
    pub find_intersections: bool,
}
impl TetrahedraOptions {
    /// Those with a size of cells.
    pub fn new(size: CellSize) -> Self {
        Self { size, inside: InsideRule::default(), find_intersections: true }
    }
}
