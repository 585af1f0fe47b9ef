//! What can be chosen, and what is told.
use ribbonmesh::{Error, Result};
use serde::Serialize;

/// How distances are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeodesicOptions {
    /// A distance that would become less by no more than this part of itself stays. 0 to 0.1; default 10⁻⁶.
    pub tolerance: f32,
    /// Which vertices an iteration updates.
    pub order: Order,
}
impl Default for GeodesicOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, order: Order::default() }
    }
}

/// Which vertices an iteration updates: in which order the front passes over the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Those around vertices within a band above the least distance that has not been passed on yet. Each vertex is
    /// updated a few times, whatever the mesh.
    #[default]
    Distance,
    /// Those of a window of topological levels (thesis 4.5.2). Where hops say little of distances, front after front
    /// passes over the mesh.
    Hops,
}
impl Order {
    /// All of them.
    pub const ALL: [Order; 2] = [Order::Distance, Order::Hops];
    /// `distance`, `hops`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Hops => "hops",
        }
    }
}
impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
impl std::str::FromStr for Order {
    type Err = String;
    fn from_str(name: &str) -> std::result::Result<Self, String> {
        Self::ALL.into_iter().find(|o| o.name() == name).ok_or_else(|| "expected distance or hops".into())
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

/// How a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GeodesicReport {
    /// In which order the front passed.
    pub order: Order,
    /// Different sources.
    pub sources: usize,
    /// Topological levels, the sources' own included.
    pub levels: usize,
    /// Iterations, the last, in which nothing changed, included.
    pub iterations: usize,
    /// Vertices with a distance.
    pub reached: usize,
    /// Vertices whose distance is +∞: no path of edges leads there.
    pub unreachable: usize,
}
