//! Statistics of curvatures.
use crate::curvature::FlatCurvatures;
use crate::curvature::kernels::{BOUNDARY, ISOLATED};
use ribbonmesh::{Error, FlatTopology, Result, Statistics};
use std::collections::HashSet;
use std::f64::consts::TAU;

/// Statistics of curvatures over a mesh, and the sum of the defects for the theorem of Gauss and Bonnet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvatureReport {
    /// Sum of the areas of all vertices: the surface's area.
    pub area: f64,
    /// Sum of all defects, in radians.
    pub total_defect: f64,
    /// Part of `total_defect` from vertices on the boundary: the integral of the boundary's geodesic
    /// curvature.
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
    /// Vertices − edges + faces, counted for the faces that have three different vertices.
    pub euler_characteristic: i64,
}
impl CurvatureReport {
    /// The report of curvatures of these triangles. Reads all values, 24 bytes per vertex; waits.
    /// # Errors
    /// [`Error::Length`] if there are not as many values as vertices; out of memory; errors of earlier
    /// kernels or of the driver.
    pub fn of_triangles(topology: &FlatTopology, found: &FlatCurvatures) -> Result<Self> {
        let FlatCurvatures { defect, area, gaussian, mean, geodesic, places } = found;
        let expected = topology.vertices();
        if places.len() != expected {
            return Err(Error::Length { what: "curvatures", expected, found: places.len() });
        }
        let places = places.read()?;
        let values = Values {
            defect: defect.read()?,
            area: area.read()?,
            gaussian: gaussian.read()?,
            mean: mean.read()?,
            geodesic: geodesic.read()?,
        };
        let without = places.iter().filter(|place| **place == ISOLATED).count();
        let counts = |isolated: usize| [expected - isolated, topology.edges(), topology.faces()];
        let (isolated, characteristic) = match topology.has_degenerate_faces() {
            false => (without, euler_characteristic(counts(without))),
            true => {
                let corners = topology.face_vertices().read()?;
                let mut used = vec![false; expected];
                corners.iter().for_each(|&v| used[v as usize] = true);
                let isolated = used.iter().filter(|used| !**used).count();
                (isolated, of_whole_faces(counts(isolated), &corners))
            }
        };
        Ok(Self::of(&values, |v| places[v] == BOUNDARY, isolated, characteristic))
    }
    fn of(
        values: &Values,
        on_boundary: impl Fn(usize) -> bool + Sync,
        isolated: usize,
        euler_characteristic: i64,
    ) -> Self {
        let Values { defect, area, gaussian, mean, geodesic } = values;
        let inner = |v: usize| !on_boundary(v) && area[v] > 0.0;
        let sum = |part: &dyn Fn(usize) -> bool| {
            let parts = defect.iter().enumerate().filter(|(v, _)| part(*v));
            parts.map(|(_, d)| f64::from(*d)).sum::<f64>()
        };
        let of = |values: &[f32], part: &(dyn Fn(usize) -> bool + Sync)| {
            Statistics::of(values.len(), |v| part(v).then(|| f64::from(values[v])))
        };
        Self {
            area: area.iter().map(|a| f64::from(*a)).sum(),
            total_defect: sum(&|_| true),
            boundary_defect: sum(&on_boundary),
            gaussian: of(gaussian, &inner),
            mean: of(mean, &inner),
            geodesic: of(geodesic, &on_boundary),
            boundary_vertices: (0..defect.len()).filter(|v| on_boundary(*v)).count() as u64,
            isolated_vertices: isolated as u64,
            euler_characteristic,
        }
    }
    /// The sum of all defects by the theorem of Gauss and Bonnet: 2π times the Euler characteristic.
    /// `total_defect` differs from it by rounding, and where a coordinate is not finite.
    pub fn gauss_bonnet(&self) -> f64 {
        TAU * self.euler_characteristic as f64
    }
}

/// Curvatures by id, read back.
struct Values {
    defect: Vec<f32>,
    area: Vec<f32>,
    gaussian: Vec<f32>,
    mean: Vec<f32>,
    geodesic: Vec<f32>,
}

/// The characteristic of numbers of vertices, edges and faces.
fn euler_characteristic([vertices, edges, faces]: [usize; 3]) -> i64 {
    vertices as i64 - edges as i64 + faces as i64
}
/// The characteristic of the faces that have three different vertices.
fn of_whole_faces(all: [usize; 3], corners: &[u32]) -> i64 {
    let whole = || corners.as_chunks::<3>().0.iter().filter(|&&[a, b, c]| a != b && b != c && c != a);
    let faces = whole().count();
    if faces == all[2] {
        return euler_characteristic(all);
    }
    let (mut vertices, mut edges) = (HashSet::new(), HashSet::new());
    for &[a, b, c] in whole() {
        vertices.extend([a, b, c]);
        edges.extend([[a, b], [b, c], [c, a]].map(|[u, v]| [u.min(v), u.max(v)]));
    }
    euler_characteristic([vertices.len(), edges.len(), faces])
}
