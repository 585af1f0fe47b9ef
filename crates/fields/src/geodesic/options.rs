//! Options and reports of geodesic distances.
use ribbonmesh::{Error, Result};
use ribbonmesh_application::Choice;
use serde::Serialize;

/// Options of computing distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeodesicOptions {
    /// A distance is updated only if it decreases by more than this fraction of itself. 0 to 0.1; default
    /// 10⁻⁶.
    pub tolerance: f32,
    /// Order in which vertices are updated.
    pub order: Order,
    /// Whether distances become lengths of paths ([`crate::geodesic::FlatGeodesic::trace`]). Otherwise they
    /// are estimates, which take a fraction of the time but can be a fifth too small behind holes. Default:
    /// true.
    pub paths: bool,
}
impl Default for GeodesicOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, order: Order::default(), paths: true }
    }
}

/// The order in which the front updates vertices.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Updates the neighbours of vertices within a band above the smallest new distance. Each vertex is
    /// updated a few times, on any mesh.
    #[default]
    Distance,
    /// Updates the vertices of a window of topological levels (thesis 4.5.2). If levels do not correspond to
    /// distances, vertices are updated many times.
    Hops,
}
impl GeodesicOptions {
    pub(crate) fn check(&self) -> Result<()> {
        if (0.0..=0.1).contains(&self.tolerance) {
            return Ok(());
        }
        let value = self.tolerance.to_string();
        Err(Error::Option { option: "tolerance", value, expected: "a number from 0 to 0.1" })
    }
}

/// Report of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GeodesicReport {
    /// The order of updates.
    pub order: Order,
    /// Number of different sources.
    pub sources: usize,
    /// Number of topological levels, including that of the sources.
    pub levels: usize,
    /// Number of iterations, including the last one, in which nothing changed.
    pub iterations: usize,
    /// Number of rounds in which distances became lengths of paths; 0 for estimates.
    pub rounds: usize,
    /// Number of vertices with a finite distance.
    pub reached: usize,
    /// Number of vertices that are not connected with a source; their distance is +∞.
    pub unreachable: usize,
}
