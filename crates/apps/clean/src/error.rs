//! Errors of cleaning.
use ribbonmesh::Error;
use ribbonmesh_fill::FillError;
use ribbonmesh_mesh::MeshError;
use ribbonmesh_repair::RepairError;
use ribbonmesh_resolve::ResolveError;

/// Error of a mesh that was not cleaned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CleanError {
    /// The triangles, or an option, are refused; or the device has failed.
    #[error(transparent)]
    Library(#[from] Error),
    /// The mesh contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The holes were not filled.
    #[error(transparent)]
    Fill(FillError),
    /// The intersections were not resolved, and wrapping is off.
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
/// Errors of the device and of the input stay errors; if the mesh is too bad for resolving, returns the
/// reason.
pub(crate) fn of_resolve(error: ResolveError) -> Result<String, CleanError> {
    match error {
        ResolveError::Library(error) => Err(error.into()),
        ResolveError::Mesh(error) => Err(error.into()),
        error => Ok(error.to_string()),
    }
}
