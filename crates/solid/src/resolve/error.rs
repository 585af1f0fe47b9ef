//! Errors of resolving surfaces.
use crate::fill::FillError;
use ribbonmesh::Error;
use ribbonmesh_mesh::{Class, Classified, MeshError, OptionError, Phrase};

/// Error of surfaces that were not resolved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The triangles of a mesh, or an option, are refused; or the device has failed.
    #[error(transparent)]
    Library(#[from] Error),
    /// A mesh contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// An option of filling is refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Everything would be deleted: all faces intersect others.
    #[error("nothing would be left: too many faces intersect for their size")]
    NothingLeft,
    /// The faces to be deleted reach the border of a region.
    #[error("what is to be deleted reaches the border of the region; a larger one is needed")]
    Reached {
        /// The vertices where the region ends at which faces are to be deleted, ascending.
        vertices: Vec<u32>,
    },
    /// No attempt gave a surface that is closed, manifold and free of intersections.
    #[error("intersections are left after {attempts} attempts: {last}")]
    GaveUp {
        /// Number of attempts.
        attempts: u32,
        /// Fault of the last one.
        last: String,
    },
}

impl From<FillError> for ResolveError {
    fn from(error: FillError) -> Self {
        match error {
            FillError::Mesh(error) => Self::Mesh(error),
            FillError::Library(error) => Self::Library(error),
            FillError::Option(error) => Self::Option(error),
            error => Self::GaveUp { attempts: 1, last: error.to_string() },
        }
    }
}

impl Classified for ResolveError {
    fn class(&self) -> Class {
        const WRAP: &[Phrase] =
            &[Phrase::Application("clean"), Phrase::Text(" wraps what cannot be resolved")];
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Mesh(ref error) => error.class(),
            Self::Option(ref error) => error.class(),
            Self::NothingLeft | Self::GaveUp { .. } => Class::mesh().helped(WRAP),
            Self::Reached { ref vertices } => {
                vertices.first().map_or(Class::mesh(), |&v| Class::mesh().vertex(v))
            }
        }
    }
}
