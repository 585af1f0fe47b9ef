//! Statistics of curvatures.
use crate::Curvatures;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Error, Op, Result, StaticMesh, Statistics, Vertex};
use std::collections::HashSet;
use std::f64::consts::TAU;

/// How many faces without area a report names.
const NAMED: usize = 8;

/// Statistics of curvatures over a mesh, and the sum of the defects for the theorem of Gauss and Bonnet.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvatureReport {
    /// Sum of the areas of all vertices: the surface's area.
    pub area: f64,
    /// Sum of all defects, in radians.
    pub total_defect: f64,
    /// Part of `total_defect` from vertices on the boundary: the integral of the boundary's geodesic curvature.
    pub boundary_defect: f64,
    /// Gaussian curvature of the inner vertices with an area.
    pub gaussian: Option<Statistics>,
    /// Mean curvature of the inner vertices with an area.
    pub mean: Option<Statistics>,
    /// Geodesic curvature of the vertices on the boundary.
    pub geodesic: Option<Statistics>,
    /// Vertices on the boundary.
    pub boundary_vertices: u64,
    /// Vertices without a face. All their curvatures are 0.
    pub isolated_vertices: u64,
    /// Faces without area: with equal positions, or all three on a line, as double precision has it; faces that have a
    /// vertex twice included.
    pub faces_without_area: u64,
    /// Of these, the first eight by number in the input.
    pub first_without_area: Vec<u32>,
    /// Faces that have a vertex twice. They do not count.
    pub degenerate_faces: u64,
    /// Vertices − edges + faces of the faces that count.
    pub euler_characteristic: i64,
}
impl CurvatureReport {
    /// The report of curvatures of this mesh, whose vertices have these positions. Reads all values, 40 bytes per vertex
    /// and 16 per face; waits.
    /// # Errors
    /// [`Error::OtherMesh`]; out of memory; errors of earlier kernels or of the driver.
    pub fn new(mesh: &StaticMesh, positions: &Attribute<Vertex, Vec3>, found: &Curvatures) -> Result<Self> {
        let Curvatures { defect, area, gaussian, mean, geodesic } = found;
        if [defect, area, gaussian, mean, geodesic].iter().any(|part| !part.belongs_to(mesh)) {
            return Err(Error::OtherMesh { what: "the curvatures" });
        }
        if !positions.belongs_to(mesh) {
            return Err(Error::OtherMesh { what: "the attribute of positions" });
        }
        let faces = Faces::of(mesh, &positions.download_by_id()?)?;
        let boundary = mesh.boundary::<Vertex>()?.read()?;
        let isolated = isolated_vertices(mesh)?;
        let (defect, area) = (found.defect.download_by_id()?, found.area.download_by_id()?);
        let on_boundary = |v: usize| boundary[v] != 0;
        let inner = |v: usize| !on_boundary(v) && area[v] > 0.0;
        let sum = |part: &dyn Fn(usize) -> bool| {
            let parts = defect.iter().enumerate().filter(|(v, _)| part(*v));
            parts.map(|(_, d)| f64::from(*d)).sum::<f64>()
        };
        let (gaussian, mean) = (found.gaussian.download_by_id()?, found.mean.download_by_id()?);
        let geodesic = found.geodesic.download_by_id()?;
        let of = |values: &[f32], part: &(dyn Fn(usize) -> bool + Sync)| {
            Statistics::of(values.len(), |v| part(v).then(|| f64::from(values[v])))
        };
        Ok(Self {
            area: area.iter().map(|a| f64::from(*a)).sum(),
            total_defect: sum(&|_| true),
            boundary_defect: sum(&on_boundary),
            gaussian: of(&gaussian, &inner),
            mean: of(&mean, &inner),
            geodesic: of(&geodesic, &on_boundary),
            boundary_vertices: boundary.iter().filter(|b| **b != 0).count() as u64,
            isolated_vertices: isolated as u64,
            faces_without_area: faces.without_area,
            first_without_area: faces.first,
            degenerate_faces: faces.degenerate,
            euler_characteristic: faces.characteristic.unwrap_or_else(|| {
                (mesh.vertices() - isolated) as i64 - mesh.edges() as i64 + mesh.faces() as i64
            }),
        })
    }
    /// The sum of all defects by the theorem of Gauss and Bonnet: 2π times the Euler characteristic. `total_defect`
    /// differs from it by rounding, and where a coordinate is not finite.
    pub fn gauss_bonnet(&self) -> f64 {
        TAU * self.euler_characteristic as f64
    }
}

/// What is special about faces.
struct Faces {
    without_area: u64,
    first: Vec<u32>,
    degenerate: u64,
    /// Without the degenerate ones; none if there are none.
    characteristic: Option<i64>,
}
impl Faces {
    /// Of a mesh with these positions, by id.
    fn of(mesh: &StaticMesh, x: &[Vec3]) -> Result<Self> {
        let corners = mesh.query(Op::FV)?.values().read()?;
        let faces = corners.as_chunks::<3>().0;
        let is_whole = |&[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
        let has_area = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|v| x[v as usize].as_dvec3());
            (b - a).cross(c - a).length() > 0.0
        };
        let ids = (0..).zip(faces).filter(|(_, face)| !(is_whole(face) && has_area(face)));
        let ids: Vec<usize> = ids.map(|(id, _)| id).collect();
        let mut first = vec![];
        if !ids.is_empty() {
            let inputs = mesh.face_inputs().read()?;
            first.extend(ids.iter().map(|&id| inputs[id]));
            first.sort_unstable();
            first.truncate(NAMED);
        }
        let degenerate = ids.iter().filter(|&&id| !is_whole(&faces[id])).count() as u64;
        let characteristic = (degenerate > 0).then(|| {
            let (mut vertices, mut edges, mut count) = (HashSet::new(), HashSet::new(), 0);
            for &[a, b, c] in faces.iter().filter(|face| is_whole(face)) {
                vertices.extend([a, b, c]);
                edges.extend([[a, b], [b, c], [c, a]].map(|[u, v]| [u.min(v), u.max(v)]));
                count += 1;
            }
            vertices.len() as i64 - edges.len() as i64 + count
        });
        Ok(Self { without_area: ids.len() as u64, first, degenerate, characteristic })
    }
}

/// Number of vertices without a face.
fn isolated_vertices(mesh: &StaticMesh) -> Result<usize> {
    let faces = mesh.query(Op::VF)?;
    let Some(offsets) = faces.offsets() else {
        return Err(Error::Invalid("faces of vertices without offsets".to_owned()));
    };
    Ok(offsets.read()?.windows(2).filter(|row| row[0] == row[1]).count())
}
