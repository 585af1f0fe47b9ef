//! What can be wrong with a mesh and its columns.

use crate::Element;

/// A column that cannot be had, or does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// There is no column of that name.
    #[error(
        "there is no {element} attribute {name:?}; there are {}",
        if known.is_empty() { "none".into() } else { known.join(", ") }
    )]
    Missing {
        /// The elements that were asked.
        element: Element,
        /// The name that was asked for.
        name: String,
        /// The names that are there.
        known: Vec<String>,
    },
    /// The column holds values of another type.
    #[error("the {element} attribute {name:?} is of type {found}, not {expected}")]
    Type {
        /// The elements of the column.
        element: Element,
        /// Its name.
        name: String,
        /// The type that was asked for.
        expected: String,
        /// The type that it has.
        found: String,
    },
    /// The column has a row too many or too few.
    #[error("the {element} attribute {name:?} has {found} rows, and needs {expected}")]
    Length {
        /// The elements of the column.
        element: Element,
        /// Its name.
        name: String,
        /// Number of elements.
        expected: usize,
        /// Number of rows.
        found: usize,
    },
}

/// A mesh that contradicts itself.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A face names a vertex that does not exist.
    #[error("face {face} has vertex index {index}, out of range (of {vertices} vertices)")]
    FaceIndex {
        /// Number of the face, from 0.
        face: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A pair of [`TriangleMesh::edges`](crate::TriangleMesh::edges) names a vertex that does not exist.
    #[error("edge {edge} has vertex index {index}, out of range (of {vertices} vertices)")]
    EdgeIndex {
        /// Number of the pair, from 0.
        edge: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A list of rows to keep names one that does not exist.
    #[error("{element} {index} is to be kept, and there are {count}")]
    Row {
        /// The elements.
        element: Element,
        /// The number that is out of range.
        index: u32,
        /// Number of elements.
        count: usize,
    },
    /// There is not one point per vertex.
    #[error("{found} points are given for {expected} vertices")]
    Points {
        /// Number of vertices.
        expected: usize,
        /// Number of points.
        found: usize,
    },
    /// A column has a row too many or too few.
    #[error(transparent)]
    Column(#[from] ColumnError),
}
