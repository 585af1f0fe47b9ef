//! Errors of filling holes.
use ribbonmesh::Error;
use ribbonmesh_mesh::MeshError;
use ribbonmesh_repair::Violations;

/// A mesh whose holes were not filled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FillError {
    /// The triangles, or an option, are refused.
    #[error(transparent)]
    Triangles(#[from] Error),
    /// The mesh contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The mesh is not an oriented manifold. Vertices at which boundary loops touch do not count as
    /// violations here.
    #[error("{0}; filling holes needs an oriented manifold: repair the mesh first")]
    NotManifold(Box<Violations>),
}
