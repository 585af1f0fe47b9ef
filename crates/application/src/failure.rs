//! Errors of applications.
use ribbonmesh::Error;
use ribbonmesh_mesh::MeshError;
use ribbonmesh_repair::{RepairError, Violations};

/// Why an application did not run, or not to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// Options that are refused.
    #[error("{0}")]
    Usage(String),
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A mesh that contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A mesh that is not an oriented manifold.
    #[error("{found}{help}")]
    NotManifold {
        /// The elements.
        found: Box<Violations>,
        /// The end of the message.
        help: &'static str,
    },
    /// A mesh, of several, that is refused.
    #[error("mesh {mesh} {what}")]
    Unfit {
        /// Its place, from 0.
        mesh: usize,
        /// The end of the sentence.
        what: String,
    },
    /// All faces are degenerate.
    #[error("all faces are degenerate")]
    NothingLeft,
    /// An input that is refused.
    #[error("{0}")]
    Refused(String),
}

impl From<RepairError> for Failure {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Triangles(error) => error.into(),
            RepairError::Mesh(error) => error.into(),
            error => Self::Refused(error.to_string()),
        }
    }
}
