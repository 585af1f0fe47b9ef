//! Distances on a surface.
use crate::{FlatGeodesic, GeodesicOptions, GeodesicReport};
use ribbonmesh::mesh::Role;
use ribbonmesh::{Buffer, Result, Surface, array};

/// Writes the distances along the surface from the nearest of `sources` to the vertex attribute `distance`,
/// in the units of the positions; +∞ for vertices that are not connected with a source. Sources are indices
/// of vertices in the mesh that [`Surface::download`] returns. The attribute does not change when vertices
/// move afterwards. Makes no patches; distances are the same for a surface that has some.
/// # Errors
/// As [`Surface::flat_topology`], [`FlatGeodesic::new`] and [`FlatGeodesic::run`]. After an error, the
/// attributes are unchanged.
pub fn geodesic(surface: &mut Surface, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
    if surface.have_patches().is_err() {
        let (report, distances) = solve(surface, sources, options)?;
        surface.insert_of_vertices("distance", Role::Custom, &distances)?;
        return Ok(report);
    }
    // rounding depends on the ids, which are those of the patches
    let mut plain = surface.try_clone()?;
    let (report, distances) = solve(&mut plain, sources, options)?;
    plain.insert_of_vertices("distance", Role::Custom, &distances)?;
    let by_place = plain.values_of_vertices::<f32>("distance")?;
    let distances = array::gather(&by_place, &*surface.triangles().vertex_places()?)?;
    surface.insert_of_vertices("distance", Role::Custom, &distances)?;
    Ok(report)
}

/// The distances by id.
fn solve(
    surface: &mut Surface,
    sources: &[u32],
    options: &GeodesicOptions,
) -> Result<(GeodesicReport, Buffer<f32>)> {
    let places = vertex_places(surface)?;
    let (topology, positions) = surface.flat_topology()?;
    let mut solver = FlatGeodesic::new(topology, positions, &places)?;
    let report = solver.run(sources, options)?;
    Ok((report, solver.distances()?))
}

/// The index that each vertex has in the result of [`Surface::download`], for the ids of
/// [`Surface::flat_topology`].
/// # Errors
/// The errors of [`Surface::flat_topology`].
pub fn vertex_places(surface: &mut Surface) -> Result<Buffer<u32>> {
    // the ids change when edges are numbered, so that comes first
    surface.flat_topology()?;
    surface.triangles().vertex_places()?.into_owned()
}
