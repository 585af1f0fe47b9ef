//! Errors of collisions.
use ribbonmesh::Error;
use ribbonmesh::mesh::{Class, Classified};

/// Why collisions cannot be found, or not be kept from happening.
#[derive(Debug, thiserror::Error)]
pub enum CollideError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// Faces intersect before they have moved, so that a motion without collisions is of no use.
    #[error("faces {} and {} intersect before they move; {pairs} pairs do so", faces[0], faces[1])]
    Intersects {
        /// The first pair of faces, by their places among the faces.
        faces: [u32; 2],
        /// Pairs of faces.
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
