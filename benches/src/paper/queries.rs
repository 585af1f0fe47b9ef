//! Table 4.1 and Figure 4.8: queries whose results are written to memory, compared with Parallel Directed
//! Edges.
use crate::rxmesh;
use crate::subject::Order;
use crate::timed::Clock;
use anyhow::Result;
use ribbonmesh::{Op, StaticMesh};
use ribbonmesh_baselines::Pde;
use serde::Serialize;
use std::cell::RefCell;

/// The first-order queries, in the order of Table 4.1.
pub const EIGHT: [Op; 8] = [Op::VV, Op::VE, Op::VF, Op::FV, Op::FE, Op::FF, Op::EV, Op::EF];

/// Speed-ups of RXMesh over PDE in Table 4.1 (V100): default, sorted, shuffled.
pub const THESIS: [(Order, [f64; 8]); 3] = [
    (Order::Default, [4.95, 3.48, 4.8, 1.27, 1.05, 0.87, 0.86, 0.64]),
    (Order::Sorted, [3.92, 2.89, 3.77, 1.04, 0.93, 0.72, 0.86, 0.63]),
    (Order::Shuffled, [8.37, 5.48, 8.19, 3.86, 2.01, 2.55, 0.85, 0.62]),
];

/// A query on one mesh, both ways. Milliseconds, median.
#[derive(Serialize)]
pub struct Pair {
    pub mesh: String,
    pub faces: usize,
    pub order: Order,
    pub query: &'static str,
    /// From patches.
    pub ours_ms: f64,
    /// From directed edges; where rows begin is given.
    pub pde_ms: f64,
    /// In which a copy moves the bytes that patches must move.
    pub floor_ms: f64,
    /// RXMesh on an H100 with a shuffled sphere of this size.
    pub rxmesh_ms: Option<f64>,
}
impl Pair {
    pub fn speed_up(&self) -> f64 {
        self.pde_ms / self.ours_ms
    }
}

/// Times all eight.
pub fn measure(name: &str, order: Order, mesh: &StaticMesh, pde: &Pde, clock: Clock) -> Result<Vec<Pair>> {
    let device = mesh.device();
    EIGHT
        .into_iter()
        .map(|op| {
            let ours = RefCell::new(mesh.result_for(op)?);
            let ours =
                device.time_repeated(clock.repetitions, || mesh.query_into(&mut ours.borrow_mut()))?.median;
            let theirs = RefCell::new(pde.result_for(op)?);
            let theirs =
                device.time_repeated(clock.repetitions, || pde.query_into(&mut theirs.borrow_mut()))?.median;
            let sphere = name == "sphere" && order == Order::Shuffled;
            Ok(Pair {
                mesh: name.to_owned(),
                faces: mesh.faces(),
                order,
                query: op.name(),
                ours_ms: 1e3 * ours,
                pde_ms: 1e3 * theirs,
                floor_ms: 1e3 * mesh.floor_bytes(op, false) as f64 / clock.bandwidth,
                rxmesh_ms: rxmesh::query_ms(op, false, mesh.faces()).filter(|_| sphere),
            })
        })
        .collect()
}
