//! Times of queries whose results are written to memory.
use crate::rxmesh;
use crate::subject::Order;
use anyhow::Result;
use ribbonmesh::{Op, StaticMesh};
use serde::Serialize;
use std::cell::RefCell;

/// One query on one mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Query {
    /// Its name.
    pub op: &'static str,
    /// Whether rows are walks around their vertex.
    pub oriented: bool,
    /// Faces of the mesh.
    pub faces: usize,
    /// The input's order.
    pub order: Order,
    /// Most faces of a patch.
    pub patch_size: u32,
    /// Number of patches.
    pub patches: usize,
    /// Median of repetitions timed one by one, milliseconds.
    pub median_ms: f64,
    /// Mean over a batch, milliseconds.
    pub mean_ms: f64,
    /// The fastest, milliseconds.
    pub min_ms: f64,
    /// How often it ran.
    pub repetitions: usize,
    /// Bytes that it must move.
    pub floor_bytes: u64,
    /// How long a copy takes to move as many, milliseconds.
    pub floor_ms: f64,
    /// RXMesh's time on an H100, milliseconds.
    pub rxmesh_ms: Option<f64>,
}
impl Query {
    /// How many times longer than the floor.
    pub fn ratio(&self) -> f64 {
        self.median_ms / self.floor_ms
    }
    /// Name with the kind of rows.
    pub fn name(&self) -> String {
        format!("{}{}", self.op, if self.oriented { " oriented" } else { "" })
    }
}

/// Times every query; `bandwidth` in bytes per second gives the floors.
pub fn measure(
    mesh: &StaticMesh,
    order: Order,
    patch_size: u32,
    repetitions: usize,
    bandwidth: f64,
) -> Result<Vec<Query>> {
    let plain = Op::ALL.map(|op| (op, false)).into_iter();
    let all = plain.chain([Op::VV, Op::VE, Op::VF].map(|op| (op, true)));
    all.map(|(op, oriented)| {
        let result = if oriented { mesh.oriented_result_for(op) } else { mesh.result_for(op) };
        let result = RefCell::new(result?);
        let work = || mesh.query_into(&mut result.borrow_mut());
        let timing = mesh.device().time_repeated(repetitions, work)?;
        let floor_bytes = mesh.floor_bytes(op, oriented);
        Ok(Query {
            op: op.name(),
            oriented,
            faces: mesh.faces(),
            order,
            patch_size,
            patches: mesh.patches(),
            median_ms: 1e3 * timing.median,
            mean_ms: 1e3 * timing.mean,
            min_ms: 1e3 * timing.min,
            repetitions,
            floor_bytes,
            floor_ms: 1e3 * floor_bytes as f64 / bandwidth,
            rxmesh_ms: rxmesh::query_ms(op, oriented, mesh.faces()),
        })
    })
    .collect()
}
