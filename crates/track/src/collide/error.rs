//! Errors of collisions.
use ribbonmesh::Error;
use ribbonmesh::mesh::{Class, Classified};

/// Reason for which collisions cannot be found, or not be prevented.
#[derive(Debug, thiserror::Error)]
pub enum CollideError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// Faces intersect before they have moved, so that a motion without collisions is of no use.
    #[error("faces {} and {} intersect before they move; {pairs} pairs do so", faces[0], faces[1])]
    Intersects {
        /// The first pair of faces, by their indices.
        faces: [u32; 2],
        /// Number of pairs of faces.
        pairs: u64,
    },
}

impl Classified for CollideError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Intersects { faces, .. } => Class::mesh().face(faces[0]),
        }
    }
}
