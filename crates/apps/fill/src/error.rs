//! Why holes were not filled.
use ribbonmesh::Error;
use ribbonmesh_mesh::MeshError;
use ribbonmesh_repair::Violations;

/// A mesh whose holes were not filled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FillError {
    /// Its triangles, or an option, are refused.
    #[error(transparent)]
    Triangles(#[from] Error),
    /// It contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// It is no oriented manifold. Vertices at which boundary loops touch are none of these violations.
    #[error("{0}; filling holes needs an oriented manifold: repair the mesh first")]
    NotManifold(Box<Violations>),
}
