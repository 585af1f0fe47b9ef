//! The choice between iterations and a factorization.
use super::aggregates::Aggregates;
use super::options::{Chosen, Solver};
use ribbonmesh::{Device, DeviceKind, Error, Result};
use ribbonmesh_linear::Elimination;
use std::sync::Arc;

/// Vertices up to which factors of the heat method take less time than levels and iterations for one source.
pub const FEW: usize = 200_000;

/// The solver of a Laplacian, and the order of elimination where it is a factorization. `factors` of one size
/// are kept. Up to `few` vertices a factorization takes less time however long edges are.
pub fn choose(
    asked: Solver,
    device: &Device,
    (aggregates, few): (&Aggregates, usize),
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
    if aggregates.roots().len() > few && !aggregates.are_worth_it()? {
        return iterative("edges are of similar lengths, and factors of so many vertices would take longer");
    }
    let order = match order() {
        Err(Error::TooMany { .. }) => return iterative("a factorization would have more than 2³¹ numbers"),
        order => order?,
    };
    let needed = factors * 8 * order.numbers() as u64;
    if device.free_memory().is_some_and(|memory| needed > memory.free / 2) {
        return iterative("a factorization would take more than half of the free memory");
    }
    let reason = "on a CPU factors of this mesh take no longer than levels and iterations";
    Ok((Chosen { solver: Solver::Direct, reason }, Some(order)))
}

/// A solver by the factorization that was chosen; by iterations where none was, and, if the choice was
/// ours, where the matrix has none, which the choice then says.
pub fn solver_of<T>(
    asked: Solver,
    (chosen, order): (Chosen, Option<Arc<Elimination>>),
    direct: impl FnOnce(&Arc<Elimination>) -> Result<Option<T>>,
    iterative: impl FnOnce() -> Result<T>,
) -> Result<(Chosen, T)> {
    let Some(order) = order else { return Ok((chosen, iterative()?)) };
    if let Some(made) = direct(&order)? {
        return Ok((chosen, made));
    }
    if asked == Solver::Direct {
        let expected = "auto or iterative, since the matrix is not positive definite but for rounding";
        return Err(Error::Option { option: "solver", value: "direct".into(), expected });
    }
    let reason = "the matrix is not positive definite but for rounding, so it has no factorization";
    Ok((Chosen { solver: Solver::Iterative, reason }, iterative()?))
}
