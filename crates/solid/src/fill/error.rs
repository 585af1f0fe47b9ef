//! Errors of filling holes.
use crate::repair::Violations;
use ribbonmesh::Error;
use ribbonmesh_mesh::{Class, Classified, MeshError, OptionError};

/// A mesh whose holes were not filled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FillError {
    /// It contradicts itself, has too many elements, or a loop with a vertex that is not finite.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// An option is refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The machine has failed.
    #[error(transparent)]
    Library(Error),
    /// The mesh is not an oriented manifold. Vertices at which boundary loops touch do not count as
    /// violations here.
    #[error("{0}; filling holes needs an oriented manifold: repair the mesh first")]
    NotManifold(Box<Violations>),
}

impl From<Error> for FillError {
    fn from(error: Error) -> Self {
        match error {
            Error::Mesh(error) => Self::Mesh(error),
            error => Self::Library(error),
        }
    }
}

impl Classified for FillError {
    fn class(&self) -> Class {
        match self {
            Self::Mesh(error) => error.class(),
            Self::Library(error) => error.class(),
            Self::Option(error) => error.class(),
            Self::NotManifold(found) => found.class(),
        }
    }
}
