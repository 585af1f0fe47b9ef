//! Search for the pairs of faces whose boxes meet.
use ribbonmesh_application::Choice;

/// Method that finds the pairs of faces whose boxes meet, which are then tested. The result does not depend
/// on it.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Broad {
    /// A bounding volume hierarchy: faster for every mesh measured, on both machines.
    #[default]
    Tree,
    /// A hash of cells: section 3.1 of Chentanez and others 2016, with levels of cells for faces of different
    /// sizes. Takes time in proportion to the square of the faces in a cell.
    Hash,
}
