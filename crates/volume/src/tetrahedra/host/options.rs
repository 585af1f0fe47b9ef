//! Options of tetrahedra.
use ribbonmesh_application::Choice;

/// The size of the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellSize {
    /// The length of the long edges of the lattice, in the units of the surface; the short ones have √3/2 of
    /// it. It is rounded to single precision.
    Length(f64),
    /// The length at which the lattice has about this many tetrahedra in the volume that the surface
    /// encloses.
    Cells(u64),
}

/// Rule that decides which points are inside a surface.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[choice(option = "inside")]
pub enum InsideRule {
    /// Where the winding number is not 0: parts that overlap are one volume, cavities are those whose faces
    /// look into them. Faces have to be oriented alike.
    #[default]
    Winding,
    /// Where rays cross the surface an odd number of times, whatever the orientation of faces: where two
    /// parts overlap is outside.
    Parity,
}

/// Options of [`tetrahedralize`](crate::tetrahedra::tetrahedralize).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetrahedraOptions {
    /// The size of the cells.
    pub size: CellSize,
    /// Rule that decides which points are inside.
    pub inside: InsideRule,
    /// Whether to search for faces of the surface that intersect, for the report. The result does not depend
    /// on it.
    pub find_intersections: bool,
}
impl TetrahedraOptions {
    /// The default options with a size of cells.
    pub fn new(size: CellSize) -> Self {
        Self { size, inside: InsideRule::default(), find_intersections: true }
    }
}
