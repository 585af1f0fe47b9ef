//! Why there is no picture.

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A face names a vertex that does not exist.
    #[error("face {face} has the vertex {vertex}, of {vertices}")]
    IndexOutOfRange {
        /// The face.
        face: usize,
        /// The vertex it names.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// Values are more or fewer than what they belong to.
    #[error("{what}: {found} values where {expected} are expected")]
    Length {
        /// What the values are.
        what: &'static str,
        /// Number of vertices or faces.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// More faces than 32 bits count.
    #[error("{0} faces are more than 32 bits count")]
    TooManyFaces(usize),
    /// More bytes than a browser takes in a page.
    #[error("a page of {faces} faces would have {bytes} bytes of data, more than {limit}")]
    PageTooLarge {
        /// Number of faces.
        faces: usize,
        /// Bytes of the arrays, before they become text.
        bytes: u64,
        /// How many there may be.
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
        /// What is wrong.
        reason: &'static str,
    },
}
