//! Remeshing a surface.
use super::options::RemeshOptions;
use super::remesher::Remesher;
use super::report::RemeshReport;
use ribbonmesh::Result;
use ribbonmesh::Surface;

/// Remeshes a surface and transfers its attributes; their seams are kept as features are. The order of
/// vertices and faces of the result is not that of the input.
/// # Errors
/// The errors of [`Remesher::new`]; with `validate`, [`Error::BrokenMesh`](ribbonmesh::Error::BrokenMesh).
/// The surface is unchanged then.
pub fn remesh(surface: &mut Surface, options: &RemeshOptions) -> Result<RemeshReport> {
    Remesher::finished(surface, options)?.finish_into(surface)
}
