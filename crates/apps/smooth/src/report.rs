//! What a smoothing did.

/// One time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Iterations of conjugate gradients.
    pub iterations: usize,
    /// The last residual divided by the first, as far as conjugate gradients know it; 0 where nothing was to do.
    pub residual: f64,
    /// Whether it is within the tolerance.
    pub converged: bool,
    /// Volume before and after, if it was to be kept: after the solution, before scaling.
    pub volume: Option<(f64, f64)>,
}

/// What a smoothing did.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothReport {
    /// The time of a step, in the units of the positions, squared.
    pub time_step: f64,
    /// The mean length of an edge before the first step.
    pub mean_edge_length: f64,
    /// Each step.
    pub steps: Vec<StepReport>,
}
impl SmoothReport {
    /// Whether all steps are within the tolerance.
    pub fn converged(&self) -> bool {
        self.steps.iter().all(|s| s.converged)
    }
    /// Iterations of all steps.
    pub fn iterations(&self) -> usize {
        self.steps.iter().map(|s| s.iterations).sum()
    }
}
