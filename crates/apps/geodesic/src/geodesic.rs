//! Distances on a surface.
use crate::{Geodesic, GeodesicOptions, GeodesicReport};
use ribbonmesh::Result;
use ribbonmesh::Surface;
use ribbonmesh::mesh::Role;

/// Writes the distances from `sources` to the vertex attribute `distance`: along the surface, in the units of the positions;
/// +∞ where no path leads. Sources are places of vertices in what [`Surface::download`] gives. The attribute stays as it is when
/// vertices move afterwards.
/// # Errors
/// As [`Surface::patches`], [`Geodesic::new`] and [`Geodesic::run`]. The attributes are as they were then.
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
