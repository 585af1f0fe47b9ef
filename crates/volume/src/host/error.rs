//! The errors of this crate.
use super::cells::CellKind;
use super::relation::Relation;

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, VolumeError>;

/// A volume mesh that cannot be built or worked with. Elements are numbered from 0, in the order of the
/// input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeError {
    /// The device or the library.
    #[error(transparent)]
    Device(#[from] ribbonmesh::Error),
    /// A cell has a vertex that does not exist.
    #[error("cell {cell} has vertex index {vertex}, out of range (of {vertices} vertices)")]
    VertexOutOfRange {
        /// The cell.
        cell: usize,
        /// The index.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A face that is listed by itself has a vertex that does not exist.
    #[error("face {face} has vertex index {vertex}, out of range (of {vertices} vertices)")]
    FaceVertexOutOfRange {
        /// The face, among the faces listed by themselves.
        face: usize,
        /// The index.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A cell has a vertex twice; in a polyhedron, one of its faces has.
    #[error("cell {cell} has vertex {vertex} twice")]
    RepeatedVertex {
        /// The cell.
        cell: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A face that is listed by itself has fewer than three vertices, or one of them twice.
    #[error("face {face} has fewer than three vertices, or one of them twice")]
    BadFace {
        /// The face, among the faces listed by themselves.
        face: usize,
    },
    /// A cell has another number of vertices than its kind has.
    #[error("cell {cell} is a {kind}, which has {expected} vertices, and is given {found}")]
    CellLength {
        /// The cell.
        cell: usize,
        /// Its kind.
        kind: CellKind,
        /// The number of vertices of that kind.
        expected: usize,
        /// The number that is given.
        found: usize,
    },
    /// A polyhedron's list of faces cannot be read, or one of its faces has fewer than three vertices.
    #[error("cell {cell} is a polyhedron whose face {face} is incomplete or has fewer than three vertices")]
    PolyhedronFace {
        /// The cell.
        cell: usize,
        /// The face within the cell.
        face: usize,
    },
    /// The faces of a polyhedron do not close, or are not oriented alike: an edge is not a side of two of
    /// them, once in each direction.
    #[error("the faces of cell {cell} do not close at the edge from {} to {}", .edge[0], .edge[1])]
    NotClosed {
        /// The cell.
        cell: usize,
        /// The directed edge that has no counterpart, or occurs twice.
        edge: [u32; 2],
    },
    /// A polyhedron has a face from both sides.
    #[error("cell {cell} has a face from both sides, its faces {} and {}", .faces[0], .faces[1])]
    RepeatedFace {
        /// The cell.
        cell: usize,
        /// The two faces within the cell.
        faces: [usize; 2],
    },
    /// An operator has an entry that does not exist.
    #[error("row {row} of {relation} has an entry out of range (of {columns})")]
    EntryOutOfRange {
        /// The operator.
        relation: Relation,
        /// The row.
        row: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A row of an operator is not what the boundary of an element is: the two different ends of an edge, the
    /// start negative; the sides of a face along a cycle; the faces of a cell, with each edge between two of
    /// them.
    #[error("row {row} of {relation} is not the boundary of an element")]
    NotABoundary {
        /// The operator.
        relation: Relation,
        /// The row.
        row: usize,
    },
    /// Offsets of rows do not ascend from 0 to the number of entries.
    #[error("the offsets of rows do not ascend from 0 to {entries} at row {row}")]
    Offsets {
        /// The first row that is wrong.
        row: usize,
        /// The number of entries.
        entries: usize,
    },
    /// A mesh of triangles has no cells.
    #[error("{relation}: a mesh of triangles has no cells")]
    NoCells {
        /// The requested relation.
        relation: Relation,
    },
    /// A shape without extent, or with more elements than 32 bits count.
    #[error("a grid of {} x {} x {} cells has no cells, or more than 32-bit numbers can count", .size[0], .size[1], .size[2])]
    Shape {
        /// The number of cells along each axis.
        size: [u32; 3],
    },
}
