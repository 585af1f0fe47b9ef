//! What was done.
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_repair::{RepairReport, StitchReport};
use ribbonmesh_resolve::ResolveReport;
use ribbonmesh_simplify::SimplifyReport;
use ribbonmesh_wrap::WrapReport;
use serde::Serialize;

/// What there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sizes {
    /// Vertices.
    pub vertices: usize,
    /// Faces.
    pub faces: usize,
    /// The enclosed volume; none of a mesh that is not closed.
    pub volume: Option<f64>,
    /// The area.
    pub area: f64,
}
impl Sizes {
    pub(crate) fn of(mesh: &TriangleMesh) -> Self {
        let volume = if mesh.is_closed() { mesh.volume() } else { None };
        Self { vertices: mesh.positions.len(), faces: mesh.faces.len(), volume, area: mesh.area() }
    }
}

/// Holes that were filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Filled {
    /// How.
    pub method: &'static str,
    /// Number of holes.
    pub holes: usize,
    /// Number of their edges.
    pub edges: usize,
    /// Faces that were added.
    pub faces: usize,
    /// Their area.
    pub area: f64,
    /// Number of these holes that were to be filled smoothly, but are flat, since they would have bulged out,
    /// or since fairing did not converge.
    pub flat: usize,
    /// Number of pairs of these holes that were joined, as where a ring of a tube is missing.
    pub joined: usize,
}

/// What [`clean`](crate::clean) did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CleanReport {
    /// The input.
    pub before: Sizes,
    /// Duplicates, non-manifold edges and vertices, orientation; none where the mesh was wrapped at once.
    pub repair: Option<RepairReport>,
    /// Cracks and T-junctions that were closed.
    pub stitched: StitchReport,
    /// Repair after that; none where nothing was stitched.
    pub repaired_again: Option<RepairReport>,
    /// Sheets that were there twice and were left out: components that enclose nothing, close to others.
    pub sheets_removed: usize,
    /// Holes; none where there were none.
    pub filling: Option<Filled>,
    /// Components that were inside out, and were turned.
    pub turned: usize,
    /// Simplification before intersections were resolved; none of meshes with less than 16 times the faces
    /// wanted.
    pub coarsened: Option<SimplifyReport>,
    /// Intersections; none where the mesh was wrapped at once, or they were too many.
    pub resolve: Option<ResolveReport>,
    /// Why the mesh was wrapped in the end; none where it was not.
    pub wrapped_because: Option<String>,
    /// How it was wrapped.
    pub wrap: Option<WrapReport>,
    /// How its faces were made fewer; none where they were few enough.
    pub wrap_simplified: Option<SimplifyReport>,
    /// Simplification; none where there were not more faces than wanted.
    pub simplify: Option<SimplifyReport>,
    /// Attributes that could not follow: element and name.
    pub columns_dropped: Vec<String>,
    /// Pairs of faces of the result that intersect: 0.
    pub intersecting_pairs: u64,
    /// The result.
    pub after: Sizes,
    /// Seconds of each step, in their order.
    pub seconds: Vec<(&'static str, f64)>,
}
