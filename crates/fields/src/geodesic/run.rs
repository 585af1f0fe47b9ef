//! Distances on a surface.
use crate::geodesic::{FlatGeodesic, GeodesicOptions, GeodesicReport};
use ribbonmesh::mesh::{Element, Role};
use ribbonmesh::{Buffer, Error, Result, Surface, array};

/// The attribute of distances.
pub(crate) const DISTANCE: &str = "distance";
/// The attribute of nearest sources.
pub(crate) const NEAREST: &str = "nearest_source";

/// Writes the distances along the surface from the nearest of `sources` to the vertex attribute `distance`,
/// in the units of the positions; +∞ for vertices that are not connected with a source. Sources are indices
/// of vertices in the mesh that [`Surface::download`] returns. The attribute does not change when vertices
/// move afterwards. Makes no patches; distances are the same for a surface that has some.
/// # Errors
/// As [`Surface::flat_topology`], [`FlatGeodesic::new`] and [`FlatGeodesic::run`]. After an error, the
/// attributes are unchanged.
pub fn geodesic(surface: &mut Surface, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
    without_patches(surface, |surface| {
        let places = vertex_places(surface)?;
        let (topology, positions) = surface.flat_topology()?;
        let mut solver = FlatGeodesic::new(topology, positions, &places)?;
        let report = solver.run(sources, options)?;
        let distances = solver.distances()?;
        drop(solver);
        surface.insert_owned_of_vertices(DISTANCE, Role::Custom, distances)?;
        Ok(report)
    })
}

/// Calls `work` with the surface as it is without patches, and takes over the attributes that it writes.
/// Rounding depends on ids, which are those of the patches where there are patches. A copy without them gives
/// the same distances whatever was asked of the surface before.
pub(crate) fn without_patches<T, E: From<Error>>(
    surface: &mut Surface,
    work: impl FnOnce(&mut Surface) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    if surface.have_patches().is_err() {
        return work(surface);
    }
    let mut plain = surface.try_clone()?;
    let done = work(&mut plain)?;
    let places = surface.triangles().vertex_places()?.into_owned()?;
    let distances = array::gather(&plain.values_of_vertices::<f32>(DISTANCE)?, &places)?;
    surface.insert_owned_of_vertices(DISTANCE, Role::Custom, distances)?;
    if plain.vertices().names().any(|name| name == NEAREST) {
        let nearest = array::gather(&plain.values_of_vertices::<i32>(NEAREST)?, &places)?;
        surface.insert_owned_of_vertices(NEAREST, Role::Custom, nearest)?;
    } else {
        surface.retain(Element::Vertex, |name, _| name != NEAREST);
    }
    Ok(done)
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
