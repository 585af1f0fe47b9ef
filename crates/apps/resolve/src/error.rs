//! Errors of resolving surfaces.
use ribbonmesh::Error;
use ribbonmesh_fill::FillError;
use ribbonmesh_mesh::MeshError;

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
    /// A mesh has holes, is not a manifold, or is inside out.
    #[error("mesh {mesh} {what}; only closed oriented manifolds with outward faces can be resolved")]
    Unfit {
        /// Index of the mesh in the list.
        mesh: usize,
        /// Description of the fault.
        what: String,
    },
    /// Everything would be deleted: all faces intersect others.
    #[error("nothing would be left: too many faces intersect for their size")]
    NothingLeft,
    /// A part of the outer surface is missing in the result: surfaces coincide, or are coarse relative to
    /// their shapes.
    #[error("parts of the surface would be lost, up to {distance} from what is left")]
    Lost {
        /// Distance of a point of the outer surface, in the units of the positions.
        distance: f64,
    },
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
            FillError::Triangles(error) => Self::Library(error),
            FillError::Mesh(error) => Self::Mesh(error),
            error => Self::GaveUp { attempts: 1, last: error.to_string() },
        }
    }
}
