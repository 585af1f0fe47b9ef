//! Why a file was not written.

use std::{io, path::PathBuf};

use ribbonmesh_mesh::MeshError;

use crate::{Format, UnknownFormat};

/// A file that was not written, and why. The file that was there before, if any, is untouched.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", file.display())]
pub struct WriteError {
    /// The file, as it was named to the writer.
    pub file: PathBuf,
    /// What went wrong.
    pub kind: WriteErrorKind,
}

/// What went wrong while writing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The operating system refused.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The path leads to a directory.
    #[error("is a directory, not a file")]
    Directory,
    /// The extension names no known format.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownFormat),
    /// The mesh has no vertices or no faces, which no reader of this crate would take back.
    #[error("the mesh has {vertices} vertices and {faces} faces, and needs at least one of each")]
    Empty {
        /// Number of vertices.
        vertices: usize,
        /// Number of faces.
        faces: usize,
    },
    /// A face names a vertex that does not exist.
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
    /// The mesh contradicts itself otherwise.
    #[error(transparent)]
    Mesh(MeshError),
    /// A property's name cannot be written, or is taken.
    #[error("property name {name:?} {reason}")]
    PropertyName {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The format's own counts or lengths would overflow.
    #[error("{count} {what} are more than {format} can hold ({limit})")]
    TooLarge {
        /// The format.
        format: Format,
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
}
