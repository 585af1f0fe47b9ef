//! Errors of writing.

use std::{error::Error, io, path::PathBuf};

use ribbonmesh_mesh::{Class, Classified, Culprit, MeshError, Subject};

use crate::UnknownFormat;

/// An error of writing a file. An old file of this name is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", file.display())]
pub struct WriteError {
    /// The file, as given to the writer.
    pub file: PathBuf,
    /// The kind of error.
    pub kind: WriteErrorKind,
}

/// Kinds of errors of writing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The operating system returned an error.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The path is a directory.
    #[error("is a directory, not a file")]
    Directory,
    /// The extension names no known format.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownFormat),
    /// There are no vertices or no elements; the readers of this crate reject such files.
    #[error("the {what} has {vertices} vertices and {count} {elements}, and needs at least one of each")]
    Empty {
        /// `mesh`, `volume`.
        what: &'static str,
        /// Number of vertices.
        vertices: usize,
        /// `faces`, `cells`.
        elements: &'static str,
        /// Number of these.
        count: usize,
    },
    /// A vertex index of a face is out of range.
    #[error("face {face} has vertex index {index}, out of range (of {vertices} vertices)")]
    IndexOutOfRange {
        /// Number of the face, from 0.
        face: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A coordinate is infinite, not a number, or too large for 32-bit floating point.
    #[error("position of vertex {vertex} is not finite: {value:?}")]
    NotFinite {
        /// Number of the vertex, from 0.
        vertex: usize,
        /// The three coordinates.
        value: [f64; 3],
    },
    /// The mesh is inconsistent otherwise.
    #[error(transparent)]
    Mesh(MeshError),
    /// A cell is wrong in itself.
    #[error(transparent)]
    Cells(Box<dyn Error + Send + Sync>),
    /// A data array does not fit the elements, or its name cannot be written.
    #[error("{element} data {name:?} {reason}")]
    Array {
        /// The element that it belongs to: point, cell, face.
        element: &'static str,
        /// Its name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The format has no element of this kind.
    #[error("{format} cannot store {element}, which is a {kind}")]
    Kind {
        /// The format.
        format: String,
        /// The cell or face.
        element: String,
        /// Its kind.
        kind: String,
    },
    /// A property's name cannot be written, or is used already.
    #[error("property name {name:?} {reason}")]
    PropertyName {
        /// The name.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// The format's own counts or lengths would overflow.
    #[error("{count} {what} are more than {format} can hold ({limit})")]
    TooLarge {
        /// The format.
        format: String,
        /// The counted items.
        what: &'static str,
        /// The number of these.
        count: u64,
        /// The largest number that the format allows.
        limit: u64,
    },
}

impl Classified for WriteError {
    fn class(&self) -> Class {
        let class = Class::refused(Subject::Output).with(Culprit::File(self.file.clone()));
        match self.kind {
            WriteErrorKind::IndexOutOfRange { face, index, .. } => class.face(face).vertex(index),
            WriteErrorKind::NotFinite { vertex, .. } => class.vertex(vertex),
            _ => class,
        }
    }
}
