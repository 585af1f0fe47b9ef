//! Distances on a surface.
use crate::geodesic::{FlatGeodesic, GeodesicOptions, GeodesicReport, Order, SequentialGeodesic};
use glam::Vec3;
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
/// As [`Surface::flat_topology`], [`FlatGeodesic::new`] and [`FlatGeodesic::run`], or in sequence those of
/// [`SequentialGeodesic`]; [`Error::Option`] for a sequence that is not on the CPU. After an error, the
/// attributes are unchanged.
pub fn geodesic(surface: &mut Surface, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
    let order = options.order.on(surface.device())?;
    without_patches(surface, |surface| {
        if order == Order::Sequence {
            let input = Ordered::read(surface)?;
            let mut solver = input.solver()?;
            let report = solver.run(sources, options)?;
            let distances = surface.device().upload(&input.by_id(solver.distances()))?;
            surface.insert_owned_of_vertices(DISTANCE, Role::Custom, distances)?;
            return Ok(report);
        }
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

/// The triangles of a surface in the order in which it gives them out: the order of its ids depends on what
/// was asked of it before, and rounding on the order.
pub(crate) struct Ordered {
    x: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The place of each vertex, by its id.
    pub places: Vec<u32>,
}
impl Ordered {
    /// Reads it. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn read(surface: &Surface) -> Result<Self> {
        let all = surface.triangles();
        let (by_id, corners) = (all.positions().read()?, all.faces().read()?);
        let corners = corners.as_chunks::<3>().0;
        let (places, of_faces) = (all.vertex_places()?.read()?, all.face_places()?.read()?);
        let (mut x, mut triangles) = (by_id.clone(), corners.to_vec());
        by_id.iter().zip(&places).for_each(|(&p, &place)| x[place as usize] = p);
        for (corners, &place) in corners.iter().zip(&of_faces) {
            triangles[place as usize] = corners.map(|id| places[id as usize]);
        }
        Ok(Self { x, triangles, places })
    }
    /// The solver of distances; vertices are named by place.
    /// # Errors
    /// Those of [`SequentialGeodesic::new`].
    pub fn solver(&self) -> Result<SequentialGeodesic> {
        SequentialGeodesic::new(&self.x, &self.triangles)
    }
    /// The values by id.
    pub fn by_id(&self, values: Vec<f32>) -> Vec<f32> {
        self.places.iter().map(|&place| values[place as usize]).collect()
    }
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
