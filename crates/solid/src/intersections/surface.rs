//! Intersections of surfaces.
use crate::intersections::find::{Intersections, Triangles, intersections_between, self_intersections};
use ribbonmesh::mesh::Role;
use ribbonmesh::surface::Triangles as Lent;
use ribbonmesh::{Buffer, Error, Result, Surface, array};

/// Options of [`intersections`] and [`intersections_of_two`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntersectionOptions {
    /// Name of the attribute of faces that gets 1 for each face that intersects another one, and 0 for all
    /// others; `None` writes no attribute.
    pub mark: Option<String>,
}
impl Default for IntersectionOptions {
    fn default() -> Self {
        Self { mark: Some("intersects".into()) }
    }
}

/// Numbers of triangles that intersect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntersectionReport {
    /// Pairs of faces that intersect.
    pub pairs: u64,
    /// Faces (of the first surface) in at least one pair.
    pub faces: u64,
    /// Faces of the second surface in at least one pair; 0 for one surface.
    pub faces_of_second: u64,
}

/// Result of [`intersections`].
pub struct SurfaceIntersections {
    /// The numbers.
    pub report: IntersectionReport,
    /// The pairs by ids of [`Surface::triangles`], on the device.
    pub by_id: Intersections,
    /// The index of each face in the surface's upload; for both surfaces.
    places: [Buffer<u32>; 2],
}

impl SurfaceIntersections {
    /// The pairs, ascending, with faces by their indices in the result of [`Surface::download`]: for a
    /// surface whose triangles have not changed, the order of the input. For one surface, the first face of a
    /// pair is less than the second one. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn pairs(&self) -> Result<Vec<[u32; 2]>> {
        let mut pairs = self.by_id.pairs.read()?;
        if pairs.is_empty() {
            return Ok(pairs);
        }
        let [first, second] = &self.places;
        let first = first.read()?;
        if second.is_empty() {
            for pair in &mut pairs {
                let [a, b] = pair.map(|face| first[face as usize]);
                *pair = [a.min(b), a.max(b)];
            }
        } else {
            let second = second.read()?;
            pairs.iter_mut().for_each(|[a, b]| (*a, *b) = (first[*a as usize], second[*b as usize]));
        }
        pairs.sort_unstable();
        Ok(pairs)
    }
}

/// Finds the pairs of faces of a surface that intersect, and marks these faces. See the [documentation of the
/// crate](crate) for the definition. No patches are made. Waits.
/// # Errors
/// [`Error::NotFinite`] names the vertex by its index in the input; as
/// [`self_intersections`](crate::intersections::self_intersections).
pub fn intersections(surface: &mut Surface, options: &IntersectionOptions) -> Result<SurfaceIntersections> {
    let triangles = surface.triangles();
    let by_id = self_intersections(of(&triangles)).map_err(|error| in_places(error, &triangles))?;
    let places = [triangles.face_places()?.into_owned()?, surface.device().zeros(0)?];
    let report = report(&by_id)?;
    mark(surface, options, &by_id.marks)?;
    Ok(SurfaceIntersections { report, by_id, places })
}

/// Finds the pairs of a face of one surface and a face of another surface that intersect, and marks these
/// faces on both. Vertices of the two surfaces with equal positions are shared, as in one surface. Waits.
///
/// Positions are relative to the origins of the surfaces. If the two differ, positions of the second surface
/// are moved to the origin of the first, in double precision, and then rounded.
/// # Errors
/// As [`intersections`]; [`Error::OtherDevice`].
pub fn intersections_of_two(
    first: &mut Surface,
    second: &mut Surface,
    options: &IntersectionOptions,
) -> Result<SurfaceIntersections> {
    let (a, b) = (first.triangles(), second.triangles());
    let way = second.origin() - first.origin();
    let moved = match way.length() == 0.0 {
        true => None,
        false => {
            let moved = b.positions().read()?.into_iter().map(|p| (p.as_dvec3() + way).as_vec3());
            Some(second.device().upload(&moved.collect::<Vec<_>>())?)
        }
    };
    let of_b = Triangles { positions: moved.as_ref().unwrap_or(b.positions()), faces: b.faces() };
    let by_id = intersections_between(of(&a), of_b)?;
    let places = [a.face_places()?.into_owned()?, b.face_places()?.into_owned()?];
    let report = report(&by_id)?;
    mark(first, options, &by_id.marks)?;
    mark(second, options, &by_id.marks_of_second)?;
    Ok(SurfaceIntersections { report, by_id, places })
}

fn of<'a>(lent: &'a Lent<'_>) -> Triangles<'a> {
    Triangles { positions: lent.positions(), faces: lent.faces() }
}
/// Converts the vertex of an error to its index in the input.
fn in_places(error: Error, triangles: &Lent<'_>) -> Error {
    let Error::NotFinite { vertex } = error else { return error };
    match triangles.vertex_place(vertex) {
        Ok(vertex) => Error::NotFinite { vertex },
        Err(error) => error,
    }
}
fn report(found: &Intersections) -> Result<IntersectionReport> {
    let sum = |marks: &Buffer<u32>| if marks.is_empty() { Ok(0) } else { array::sum(marks) };
    let (faces, faces_of_second) = (sum(&found.marks)?, sum(&found.marks_of_second)?);
    Ok(IntersectionReport { pairs: found.pairs.len() as u64, faces, faces_of_second })
}
fn mark(surface: &mut Surface, options: &IntersectionOptions, marks: &Buffer<u32>) -> Result<()> {
    match &options.mark {
        Some(name) => surface.insert_of_faces(name, Role::Custom, marks),
        None => Ok(()),
    }
}
