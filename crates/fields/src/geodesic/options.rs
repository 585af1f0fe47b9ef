//! Options and reports of geodesic distances.
use ribbonmesh::{Device, DeviceKind, Error, Result};
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
    /// In sequence on the CPU, by distance on a GPU.
    #[default]
    Auto,
    /// One vertex after another in order of distance, by one thread of a CPU; each gets its path at once.
    Sequence,
    /// Updates the neighbours of vertices within a band above the smallest new distance. Each vertex is
    /// updated a few times, on any mesh.
    Distance,
    /// Updates the vertices of a window of topological levels (thesis 4.5.2). If levels do not correspond to
    /// distances, vertices are updated many times.
    Hops,
}
impl Order {
    /// The orders for many threads, on each device.
    pub const PARALLEL: [Self; 2] = [Self::Distance, Self::Hops];

    /// The order on this device: never [`Order::Auto`].
    /// # Errors
    /// [`Error::Option`] for a sequence that is not possible.
    pub(crate) fn on(self, device: &Device) -> Result<Self> {
        match (self, device.kind()) {
            (Self::Auto | Self::Sequence, DeviceKind::Cpu) => Ok(Self::Sequence),
            (Self::Auto, DeviceKind::Cuda) => Ok(Self::Distance),
            (Self::Sequence, DeviceKind::Cuda) => {
                let (value, expected) = (self.to_string(), "distance, hops or auto on a GPU");
                Err(Error::Option { option: "order", value, expected })
            }
            (order, _) => Ok(order),
        }
    }
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
    /// Number of iterations, including the last one, in which nothing changed; in sequence, how many times
    /// the front has passed a vertex.
    pub iterations: usize,
    /// Number of rounds in which distances became lengths of paths; 0 for estimates, 1 in sequence.
    pub rounds: usize,
    /// Number of vertices with a finite distance.
    pub reached: usize,
    /// Number of vertices that are not connected with a source; their distance is +∞.
    pub unreachable: usize,
}
