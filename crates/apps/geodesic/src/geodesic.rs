//! Distances on a surface.
use crate::{FlatGeodesic, Geodesic, GeodesicOptions, GeodesicReport};
use ribbonmesh::mesh::Role;
use ribbonmesh::{Buffer, Result, Surface};

/// Writes the distances along the surface from the nearest of `sources` to the vertex attribute `distance`,
/// in the units of the positions; +∞ for vertices that are not connected with a source. Sources are indices
/// of vertices in the mesh that [`Surface::download`] returns. The attribute does not change when vertices
/// move afterwards. Uses patches if the surface has them, and does not make any.
/// # Errors
/// As [`Surface::flat_topology`], [`FlatGeodesic::new`] and [`FlatGeodesic::run`]. After an error, the
/// attributes are unchanged.
pub fn geodesic(surface: &mut Surface, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
    if surface.have_patches().is_ok() {
        let sources = surface.inputs_of(sources)?;
        let (mesh, positions) = surface.have_patches()?;
        let mut solver = Geodesic::new(mesh, positions)?;
        let report = solver.run(&sources, options)?;
        let distances = solver.distances()?;
        surface.vertices_mut()?.insert("distance", Role::Custom, &distances)?;
        return Ok(report);
    }
    let places = vertex_places(surface)?;
    let (topology, positions) = surface.flat_topology()?;
    let mut solver = FlatGeodesic::new(&topology, positions, &places)?;
    drop(topology);
    let report = solver.run(sources, options)?;
    let distances = solver.distances()?;
    surface.insert_of_vertices("distance", Role::Custom, &distances)?;
    Ok(report)
}

/// The index that each vertex has in the result of [`Surface::download`], for the ids of
/// [`Surface::flat_topology`].
/// # Errors
/// The errors of [`Surface::flat_topology`].
pub fn vertex_places(surface: &mut Surface) -> Result<Buffer<u32>> {
    // the ids change when edges are numbered, so that comes first
    surface.flat_topology()?;
    surface.triangles()?.vertex_places().try_clone()
}
