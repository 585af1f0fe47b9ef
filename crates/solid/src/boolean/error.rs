//! Errors of Booleans.
use ribbonmesh::Error;
use ribbonmesh_mesh::{Class, Classified, MeshError, Phrase};

/// Error of meshes that were not combined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BooleanError {
    /// The triangles of a mesh are refused, or the device has failed.
    #[error(transparent)]
    Library(#[from] Error),
    /// A mesh contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// No mesh was given.
    #[error("no mesh was given")]
    Nothing,
    /// Rounding the result makes new intersections again and again.
    #[error("after {rounds} rounds of rounding, {pairs} pairs of faces still intersect")]
    Rounding {
        /// Number of rounds.
        rounds: u32,
        /// Pairs of faces that intersect.
        pairs: usize,
    },
    /// A fault of this library.
    #[error("the parts of the faces contradict each other")]
    Contradiction,
}

impl Classified for BooleanError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Mesh(ref error) => error.class(),
            Self::Nothing => Class::mesh(),
            Self::Rounding { .. } => {
                Class::mesh().helped(&[Phrase::Application("clean"), Phrase::Text(" wraps what is left")])
            }
            Self::Contradiction => Class::bug(),
        }
    }
}
