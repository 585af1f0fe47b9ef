//! Distances on a surface.
use crate::{Geodesic, GeodesicOptions, GeodesicReport};
use ribbonmesh::Result;
use ribbonmesh::Surface;
use ribbonmesh::mesh::Role;

/// Writes the distances along the surface from the nearest of `sources` to the vertex attribute `distance`, in the
/// units of the positions; +∞ for vertices that are not connected with a source. Sources are indices of vertices in the
/// mesh that [`Surface::download`] returns. The attribute does not change when vertices move afterwards.
/// # Errors
/// As [`Surface::patches`], [`Geodesic::new`] and [`Geodesic::run`]. After an error, the attributes are unchanged.
pub fn geodesic(surface: &mut Surface, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
    surface.patches()?;
    let sources = surface.inputs_of(sources)?;
    let (mesh, positions) = surface.have_patches()?;
    let mut solver = Geodesic::new(mesh, positions)?;
    let report = solver.run(&sources, options)?;
    let distances = solver.distances()?;
    surface.vertices_mut()?.insert("distance", Role::Custom, &distances)?;
    Ok(report)
}
