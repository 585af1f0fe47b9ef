//! The outcome of a search for a minimum.

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The gradient is within the tolerance.
    Converged,
    /// Rounding hides any further decrease.
    Rounding,
    /// The allowed number of iterations is done.
    Iterations,
}
/// The outcome of a search for a minimum.
#[derive(Clone, Debug, PartialEq)]
pub struct MinimumReport {
    /// Why it ended.
    pub ended: Ended,
    /// Whether it is at a minimum, to the tolerance or to rounding.
    pub converged: bool,
    /// Iterations done.
    pub iterations: usize,
    /// Iterations of conjugate gradients in all of them.
    pub linear_iterations: usize,
    /// Evaluations of the energy.
    pub evaluations: usize,
    /// The energy at the beginning and after each iteration.
    pub energies: Vec<f64>,
    /// The length of the gradient at the beginning and after each iteration.
    pub gradients: Vec<f64>,
}
impl MinimumReport {
    pub(crate) fn new() -> Self {
        Self {
            ended: Ended::Iterations,
            converged: false,
            iterations: 0,
            linear_iterations: 0,
            evaluations: 1,
            energies: vec![],
            gradients: vec![],
        }
    }
    pub(crate) fn end(mut self, ended: Ended) -> Self {
        self.ended = ended;
        self.converged = ended != Ended::Iterations;
        self
    }
    /// The energy at the end.
    pub fn energy(&self) -> f64 {
        self.energies.last().copied().unwrap_or(0.0)
    }
}
