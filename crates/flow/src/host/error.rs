//! Errors of flows.
use ribbonmesh::Error;
use ribbonmesh_mesh::{Class, Classified, Subject};

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, FlowError>;

/// Reason for which a flow cannot be computed, or not any farther.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlowError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A mesh with an edge that has an odd number of faces has no inside.
    #[error("the obstacle is not closed: it has no inside that could be solid")]
    Open,
    /// Nothing of the box is fluid.
    #[error("no cell is open: the obstacle fills the box")]
    Full,
    /// Velocities have become infinite or no numbers.
    #[error("step {step}: the velocity is not finite: take shorter steps")]
    NotFinite {
        /// The step, from 1.
        step: u64,
    },
}

impl Classified for FlowError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::Open | Self::Full => Class::mesh(),
            Self::NotFinite { .. } => Class::refused(Subject::Solution),
        }
    }
}
