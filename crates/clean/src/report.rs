//! Report of cleaning.
use ribbonmesh::{Result, Surface};
use ribbonmesh_remeshing::simplify::SimplifyReport;
use ribbonmesh_solid::boolean::BooleanReport;
use ribbonmesh_solid::fill::{FillReport, HoleReport, Method};
use ribbonmesh_solid::repair::{RepairReport, StitchReport};
use ribbonmesh_solid::shells::area_and_volume;
use ribbonmesh_solid::wrap::WrapReport;
use serde::Serialize;

/// Sizes and measures of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sizes {
    /// Vertices.
    pub vertices: usize,
    /// Faces.
    pub faces: usize,
    /// The enclosed volume; `None` for a mesh that is not closed.
    pub volume: Option<f64>,
    /// The area.
    pub area: f64,
}
impl Sizes {
    pub(crate) fn of(surface: &mut Surface) -> Result<Self> {
        let (area, volume) = area_and_volume(surface)?;
        let (vertices, faces) =
            (surface.triangles().positions().len(), surface.triangles().faces().len() / 3);
        Ok(Self { vertices, faces, volume, area })
    }
}

/// Holes that were filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Filled {
    /// Method by which they were filled.
    pub method: &'static str,
    /// Number of holes.
    pub holes: usize,
    /// Number of their edges.
    pub edges: usize,
    /// Faces that were added.
    pub faces: usize,
    /// Their area.
    pub area: f64,
    /// Number of these holes that were to be filled smoothly, but are flat because they would have bulged
    /// out, or because fairing did not converge.
    pub flat: usize,
    /// Number of pairs of these holes that were joined, for example where a ring of a tube is missing.
    pub joined: usize,
}

impl Filled {
    pub(crate) fn of(method: Method, done: &FillReport) -> Self {
        let flat =
            |hole: &&HoleReport| hole.filling.as_ref().is_some_and(|filling| filling.flat_because.is_some());
        Self {
            method: method.name(),
            holes: done.filled,
            edges: done.holes.iter().map(|hole| hole.hole.edges).sum(),
            faces: done.faces_added,
            area: done.area_added,
            flat: done.holes.iter().filter(flat).count(),
            joined: done.joined,
        }
    }
}

/// Report of [`clean`](crate::clean).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CleanReport {
    /// The mesh before.
    pub before: Sizes,
    /// Duplicates, non-manifold edges and vertices, orientation; `None` if the mesh was wrapped at once.
    pub repair: Option<RepairReport>,
    /// Cracks and T-junctions that were closed.
    pub stitched: StitchReport,
    /// Repair after that; `None` if nothing was stitched.
    pub repaired_again: Option<RepairReport>,
    /// Sheets that existed twice and were dropped: components that enclose no volume, close to others.
    pub sheets_removed: usize,
    /// Holes; `None` if there were none.
    pub filling: Option<Filled>,
    /// Components that were inside out, and were turned.
    pub turned: usize,
    /// Simplification before intersections were resolved; `None` for meshes with less than 16 times the
    /// requested faces.
    pub coarsened: Option<SimplifyReport>,
    /// Intersections; `None` if the mesh was wrapped at once, or if they could not be resolved.
    pub resolve: Option<BooleanReport>,
    /// Reason for which the mesh was wrapped in the end; `None` if it was not.
    pub wrapped_because: Option<String>,
    /// Report of wrapping.
    pub wrap: Option<WrapReport>,
    /// Simplification of the wrap; `None` if it had few enough faces.
    pub wrap_simplified: Option<SimplifyReport>,
    /// Simplification; `None` if there were not more faces than requested.
    pub simplify: Option<SimplifyReport>,
    /// Attributes that could not be transferred: element and name.
    pub columns_dropped: Vec<String>,
    /// Pairs of faces of the result that intersect: 0.
    pub intersecting_pairs: u64,
    /// The result of cleaning.
    pub after: Sizes,
    /// Seconds of each step, in their order.
    pub seconds: Vec<(&'static str, f64)>,
}
