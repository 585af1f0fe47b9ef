//! Remeshing a surface.
use super::options::RemeshOptions;
use super::remesher::Remesher;
use super::report::RemeshReport;
use ribbonmesh::Result;
use ribbonmesh::Surface;

/// Remeshes a surface, whose attributes follow; seams of its attributes are kept as features are. Vertices
/// and faces come out in an order of their own.
/// # Errors
/// As [`Remesher::new`]; with `validate`, what is wrong with the mesh. The surface is as it was then.
pub fn remesh(surface: &mut Surface, options: &RemeshOptions) -> Result<RemeshReport> {
    Remesher::finished(surface, options)?.finish_into(surface)
}
