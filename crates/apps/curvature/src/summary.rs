//! Curvatures in a few figures.
use crate::Curvatures;
use ribbonmesh::{Result, Statistics};

/// The distribution of curvatures over a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvatureSummary {
    /// Sum of the areas of all vertices: the surface's area.
    pub area: f64,
    /// Sum of all defects, in radians.
    pub total_defect: f64,
    /// Of that, what vertices on the boundary add: its geodesic curvature, integrated.
    pub boundary_defect: f64,
    /// Gaussian curvature of the inner vertices that have an area.
    pub gaussian: Option<Statistics>,
    /// Mean curvature of the same.
    pub mean: Option<Statistics>,
    /// Geodesic curvature of the vertices on the boundary.
    pub geodesic: Option<Statistics>,
}
impl CurvatureSummary {
    /// That of `found`, where `boundary` tells for each vertex id whether it lies on the boundary
    /// ([`StaticMesh::boundary`](ribbonmesh::StaticMesh::boundary)); 0 is no. Reads all values.
    /// # Errors
    /// What the driver says.
    pub fn new(found: &Curvatures, boundary: &[u32]) -> Result<Self> {
        let (defect, area) = (found.defect.download_by_id()?, found.area.download_by_id()?);
        let on_boundary = |v: usize| boundary.get(v).is_some_and(|&b| b != 0);
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
        })
    }
}
