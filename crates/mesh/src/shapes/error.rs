//! Shapes that cannot be made.
use crate::{Class, Classified, Subject};

/// A shape that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size below which there is no such shape.
    #[error("{what} is {got}, and must be at least {least}")]
    TooSmall {
        /// The size that is too small.
        what: &'static str,
        /// The requested size.
        got: u32,
        /// The smallest that can be made.
        least: u32,
    },
    /// More vertices, or more corners of faces, than 32-bit numbers can count.
    #[error("{what} of {got} gives more vertices or corners than 32-bit numbers can count")]
    TooLarge {
        /// The size that is too large.
        what: &'static str,
        /// The requested size.
        got: u32,
    },
    /// The windings of a knot have a common divisor, so that the curve would run over itself.
    #[error("a torus knot cannot wind {p} and {q} times: both must be at least 1, with no common divisor")]
    NotAKnot {
        /// Windings around the axis of the torus.
        p: u32,
        /// Windings around its tube.
        q: u32,
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
}

impl Classified for ShapeError {
    fn class(&self) -> Class {
        match *self {
            Self::TooSmall { .. } | Self::TooLarge { .. } | Self::NotAKnot { .. } => {
                Class::refused(Subject::Option)
            }
            Self::IndexOutOfRange { face, index, .. } => Class::mesh().face(face).vertex(index),
        }
    }
}

/// Refuses a size below the least.
pub(crate) fn at_least(what: &'static str, got: u32, least: u32) -> Result<(), ShapeError> {
    if got < least { Err(ShapeError::TooSmall { what, got, least }) } else { Ok(()) }
}

/// Refuses a size that gives too many vertices or faces.
pub(crate) fn at_most(what: &'static str, got: u32, vertices: u64, faces: u64) -> Result<(), ShapeError> {
    let corners = faces.saturating_mul(3);
    if vertices.max(corners) > u64::from(u32::MAX) { Err(ShapeError::TooLarge { what, got }) } else { Ok(()) }
}
