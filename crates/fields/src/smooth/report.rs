//! Report of smoothing.
use crate::smooth::Solver;

/// Report of one time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Number of iterations of conjugate gradients.
    pub iterations: usize,
    /// The last residual of the recurrence divided by the first; 0 if the first is 0.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
    /// The volume before the step, and after the solution but before scaling; with `keep_volume`.
    pub volume: Option<(f64, f64)>,
    /// Vertices that went a part of their way only, or stayed; with `no_self_intersections`.
    pub held: u64,
}

/// Report of smoothing.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothReport {
    /// The time of a step, in the units of the positions, squared.
    pub time_step: f64,
    /// The mean length of an edge before the first step.
    pub mean_edge_length: f64,
    /// The solver that was used: not [`Solver::Auto`].
    pub solver: Solver,
    /// The reason.
    pub reason: &'static str,
    /// The preconditioner of the iterations that led to the result: `jacobi`, `schwarz`, `multigrid`, or
    /// `none`, as for a factorization.
    pub preconditioner: &'static str,
    /// Report of each step.
    pub steps: Vec<StepReport>,
}
impl SmoothReport {
    /// Whether all steps are within the tolerance.
    pub fn converged(&self) -> bool {
        self.steps.iter().all(|s| s.converged)
    }
    /// Vertices that were held back, in the sum of all steps.
    pub fn held(&self) -> u64 {
        self.steps.iter().map(|s| s.held).sum()
    }
    /// Number of iterations of all steps.
    pub fn iterations(&self) -> usize {
        self.steps.iter().map(|s| s.iterations).sum()
    }
}
