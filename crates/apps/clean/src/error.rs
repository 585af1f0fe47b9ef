//! Why a mesh was not cleaned.
use ribbonmesh::Error;
use ribbonmesh_fill::FillError;
use ribbonmesh_mesh::MeshError;
use ribbonmesh_repair::RepairError;
use ribbonmesh_resolve::ResolveError;

/// A mesh that was not cleaned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CleanError {
    /// Its triangles, or an option, are refused; the device has failed.
    #[error(transparent)]
    Library(#[from] Error),
    /// It contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Its holes were not filled.
    #[error(transparent)]
    Fill(FillError),
    /// Its intersections were not resolved, and it was not to be wrapped.
    #[error("{0}, and wrapping is off")]
    NotResolved(String),
}
impl From<RepairError> for CleanError {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Mesh(error) => Self::Mesh(error),
            RepairError::Triangles(error) => Self::Library(error),
            error => Self::Library(Error::Invalid(error.to_string())),
        }
    }
}
impl From<FillError> for CleanError {
    fn from(error: FillError) -> Self {
        match error {
            FillError::Mesh(error) => Self::Mesh(error),
            FillError::Triangles(error) => Self::Library(error),
            error => Self::Fill(error),
        }
    }
}
/// Errors of the device and of the input; `None` where the mesh is too bad for resolving.
pub(crate) fn of_resolve(error: ResolveError) -> Result<String, CleanError> {
    match error {
        ResolveError::Library(error) => Err(error.into()),
        ResolveError::Mesh(error) => Err(error.into()),
        error => Ok(error.to_string()),
    }
}
