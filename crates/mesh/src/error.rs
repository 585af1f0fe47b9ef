//! Errors of meshes and their columns.

use crate::{Class, Classified, Element};

/// A column is missing, or has the wrong type or length.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// There is no column of that name.
    #[error(
        "there is no {element} attribute {name:?}; there are {}",
        if known.is_empty() { "none".into() } else { known.join(", ") }
    )]
    Missing {
        /// The kind of elements.
        element: Element,
        /// The requested name.
        name: String,
        /// The names of the existing columns.
        known: Vec<String>,
    },
    /// The column holds values of another type.
    #[error("the {element} attribute {name:?} is of type {found}, not {expected}")]
    Type {
        /// The elements of the column.
        element: Element,
        /// Its name.
        name: String,
        /// The requested type.
        expected: String,
        /// The type of the column.
        found: String,
    },
    /// The column has the wrong number of rows.
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

/// A mesh is inconsistent.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A face has a vertex index out of range.
    #[error("face {face} has vertex index {index}, out of range (of {vertices} vertices)")]
    FaceIndex {
        /// Number of the face, from 0.
        face: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A pair of [`TriangleMesh::edges`](crate::TriangleMesh::edges) has a vertex index out of range.
    #[error("edge {edge} has vertex index {index}, out of range (of {vertices} vertices)")]
    EdgeIndex {
        /// Number of the pair, from 0.
        edge: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A list of elements to keep has an index out of range.
    #[error("{element} index {index} is out of range (of {count})")]
    Row {
        /// The elements.
        element: Element,
        /// The index.
        index: u32,
        /// Number of elements.
        count: usize,
    },
    /// There are more elements than 32-bit numbers allow.
    #[error("{count} {what} are too many: at most {limit}")]
    TooMany {
        /// Kind of elements.
        what: &'static str,
        /// Number of elements.
        count: u64,
        /// Largest allowed number.
        limit: u64,
    },
    /// A vertex has a coordinate that is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// The number of points differs from the number of vertices.
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

impl Classified for ColumnError {
    fn class(&self) -> Class {
        Class::data()
    }
}

impl MeshError {
    /// Refuses more elements of a kind than `limit`.
    ///
    /// # Errors
    /// [`MeshError::TooMany`].
    pub fn at_most(what: &'static str, count: usize, limit: u64) -> Result<(), Self> {
        let count = count as u64;
        if count > limit { Err(Self::TooMany { what, count, limit }) } else { Ok(()) }
    }
}

impl Classified for MeshError {
    fn class(&self) -> Class {
        match *self {
            Self::FaceIndex { face, index, .. } => Class::mesh().face(face).vertex(index),
            Self::EdgeIndex { index, .. } => Class::mesh().vertex(index),
            Self::NotFinite { vertex } => Class::mesh().vertex(vertex),
            Self::Row { .. } | Self::TooMany { .. } | Self::Points { .. } => Class::data(),
            Self::Column(ref error) => error.class(),
        }
    }
}
