//! Errors of applications.
use ribbonmesh::Error;
use ribbonmesh_mesh::{AnyError, Class, Classified, MeshError, OptionError, Subject};

/// Why an application did not run, or not to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// An option that is refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// None of several options of which one is needed.
    #[error("one of {0} is needed")]
    Missing(String),
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A mesh that contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// An error of another crate.
    #[error("{0}")]
    Other(AnyError),
    /// All faces are degenerate.
    #[error("all faces are degenerate")]
    NothingLeft,
    /// An input that is refused.
    #[error("{0}")]
    Refused(String),
}

impl Failure {
    /// Failure by an error of another crate.
    pub fn of(error: impl Classified + Send + Sync + 'static) -> Self {
        Self::Other(Box::new(error))
    }
}

impl Classified for Failure {
    fn class(&self) -> Class {
        match self {
            Self::Option(error) => error.class(),
            Self::Missing(_) => Class::refused(Subject::Option),
            Self::Library(error) => error.class(),
            Self::Mesh(error) => error.class(),
            Self::Other(error) => error.class(),
            Self::NothingLeft | Self::Refused(_) => Class::mesh(),
        }
    }
}
