//! Statistics of curvatures.
use crate::Curvatures;
use ribbonmesh::{Error, Op, Result, StaticMesh, Statistics, Vertex};
use std::collections::HashSet;
use std::f64::consts::TAU;

/// Statistics of curvatures over a mesh, and the sum of the defects for the theorem of Gauss and Bonnet.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Vertices − edges + faces of the faces that have three different vertices; the others do not count.
    pub euler_characteristic: i64,
}
impl CurvatureReport {
    /// The report of curvatures of this mesh. Reads all values, 28 bytes per vertex; waits.
    /// # Errors
    /// [`Error::OtherMesh`]; out of memory; errors of earlier kernels or of the driver.
    pub fn new(mesh: &StaticMesh, found: &Curvatures) -> Result<Self> {
        let Curvatures { defect, area, gaussian, mean, geodesic } = found;
        if [defect, area, gaussian, mean, geodesic].iter().any(|part| !part.belongs_to(mesh)) {
            return Err(Error::OtherMesh { what: "the curvatures" });
        }
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
            euler_characteristic: euler_characteristic(mesh, isolated)?,
        })
    }
    /// The sum of all defects by the theorem of Gauss and Bonnet: 2π times the Euler characteristic. `total_defect`
    /// differs from it by rounding, and where a coordinate is not finite.
    pub fn gauss_bonnet(&self) -> f64 {
        TAU * self.euler_characteristic as f64
    }
}

fn euler_characteristic(mesh: &StaticMesh, isolated: usize) -> Result<i64> {
    let all = (mesh.vertices() - isolated) as i64 - mesh.edges() as i64 + mesh.faces() as i64;
    if mesh.edge_manifold() {
        return Ok(all); // and so without a face that has a vertex twice
    }
    let corners = mesh.query(Op::FV)?.values().read()?;
    let whole = || corners.as_chunks::<3>().0.iter().filter(|&&[a, b, c]| a != b && b != c && c != a);
    let faces = whole().count();
    if faces == mesh.faces() {
        return Ok(all);
    }
    let (mut vertices, mut edges) = (HashSet::new(), HashSet::new());
    for &[a, b, c] in whole() {
        vertices.extend([a, b, c]);
        edges.extend([[a, b], [b, c], [c, a]].map(|[u, v]| [u.min(v), u.max(v)]));
    }
    Ok(vertices.len() as i64 - edges.len() as i64 + faces as i64)
}

/// Number of vertices without a face.
fn isolated_vertices(mesh: &StaticMesh) -> Result<usize> {
    let faces = mesh.query(Op::VF)?;
    let Some(offsets) = faces.offsets() else {
        return Err(Error::Invalid("faces of vertices without offsets".to_owned()));
    };
    Ok(offsets.read()?.windows(2).filter(|row| row[0] == row[1]).count())
}
