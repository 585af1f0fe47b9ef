//! The choice between iterations and a factorization.
use super::aggregates::Aggregates;
use super::cholesky::Elimination;
use super::options::{Chosen, Solver};
use ribbonmesh::{Device, DeviceKind, Result};
use std::sync::Arc;

/// The solver of a Laplacian, and the order of elimination where it is a factorization. `factors` of one size
/// are kept.
pub fn choose(
    asked: Solver,
    device: &Device,
    aggregates: &Aggregates,
    factors: u64,
    order: impl FnOnce() -> Result<Arc<Elimination>>,
) -> Result<(Chosen, Option<Arc<Elimination>>)> {
    let iterative = |reason| Ok((Chosen { solver: Solver::Iterative, reason }, None));
    match asked {
        Solver::Iterative => return iterative("asked for"),
        Solver::Direct => {
            return Ok((Chosen { solver: Solver::Direct, reason: "asked for" }, Some(order()?)));
        }
        Solver::Auto => {}
    }
    if device.kind() != DeviceKind::Cpu {
        return iterative("a GPU iterates in less time than its host takes for a factorization");
    }
    if !aggregates.are_worth_it()? {
        return iterative("edges are of similar lengths, for which iterations are few");
    }
    let order = order()?;
    let needed = factors * 8 * order.numbers() as u64;
    if device.free_memory().is_some_and(|memory| needed > memory.free / 2) {
        return iterative("a factorization would take more than half of the free memory");
    }
    let reason = "edges differ in length, for which iterations are many on a CPU";
    Ok((Chosen { solver: Solver::Direct, reason }, Some(order)))
}
