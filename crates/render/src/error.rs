//! Errors of rendering.
use ribbonmesh_mesh::{Class, Classified, Subject};
use ribbonmesh_rixels::RixelError;

/// An error of rendering.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A face has a vertex index out of range.
    #[error("face {face} has vertex index {vertex}, out of range (of {vertices} vertices)")]
    IndexOutOfRange {
        /// The face.
        face: usize,
        /// The vertex index.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// The number of values differs from the number of elements.
    #[error("{what}: {found} values where {expected} are expected")]
    Length {
        /// The values, as the message names them.
        what: &'static str,
        /// Number of vertices or faces.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// A sample shows a face that does not exist.
    #[error("a sample shows face {face} of {faces} faces")]
    NoFace {
        /// The face.
        face: u32,
        /// Number of faces.
        faces: usize,
    },
    /// There are more faces than 32-bit indices allow.
    #[error("{0} faces are more than 32 bits count")]
    TooManyFaces(usize),
    /// The data of a page are too large for browsers.
    #[error("a page of {faces} faces would have {bytes} bytes of data, more than {limit}")]
    PageTooLarge {
        /// Number of faces.
        faces: usize,
        /// Bytes of the arrays, before their encoding as text.
        bytes: u64,
        /// Largest allowed number of bytes.
        limit: u64,
    },
    /// The picture has no pixels, no samples, or too many.
    #[error("a picture of {width} × {height} pixels with {samples} × {samples} samples: {reason}")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Samples along a pixel's side.
        samples: u32,
        /// The reason.
        reason: &'static str,
    },
    /// The device cannot draw: it has no memory, or its driver fails.
    #[error(transparent)]
    Device(#[from] RixelError),
}

impl From<ribbonmesh::Error> for RenderError {
    fn from(error: ribbonmesh::Error) -> Self {
        Self::Device(error.into())
    }
}

impl Classified for RenderError {
    fn class(&self) -> Class {
        match *self {
            Self::IndexOutOfRange { face, vertex, .. } => Class::mesh().face(face).vertex(vertex),
            Self::Length { .. } | Self::NoFace { .. } | Self::TooManyFaces(_) | Self::PageTooLarge { .. } => {
                Class::data()
            }
            Self::Size { .. } => Class::refused(Subject::Option),
            Self::Device(ref error) => error.class(),
        }
    }
}
