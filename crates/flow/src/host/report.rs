//! Reports of solves and steps.
use serde::Serialize;

/// Report of one solve for the pressure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Solve {
    /// Iterations.
    pub iterations: u32,
    /// The length of the residual, as a part of that of the right-hand side; 0 if that is 0.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
}

/// Sums over steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FlowReport {
    /// Steps.
    pub steps: u64,
    /// Iterations of all solves.
    pub iterations: u64,
    /// Most iterations of one solve.
    pub most_iterations: u32,
    /// The greatest residual that a solve has left.
    pub residual: f64,
    /// Solves that have not reached the tolerance. What then leaves cells is given by the residual.
    pub unconverged: u64,
    /// Iterations of all solves for the viscosity.
    pub viscous_iterations: u64,
    /// Those of these solves that have not reached the tolerance.
    pub viscous_unconverged: u64,
    /// Seconds of each part; all 0 unless [`FlowOptions::measure`](crate::FlowOptions::measure) is on.
    pub seconds: Seconds,
}
/// Seconds of the parts of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Moving velocities by themselves, and forces.
    pub advect: f64,
    /// The viscosity.
    pub viscosity: f64,
    /// Open fractions and the matrix, where the obstacle moves.
    pub geometry: f64,
    /// The pressure.
    pub pressure: f64,
    /// Its effect on velocities, and their extrapolation.
    pub project: f64,
    /// Moving smoke.
    pub smoke: f64,
}
impl FlowReport {
    pub(crate) fn count(&mut self, solve: Solve) {
        self.steps += 1;
        self.iterations += u64::from(solve.iterations);
        self.most_iterations = self.most_iterations.max(solve.iterations);
        self.residual = self.residual.max(solve.residual);
        self.unconverged += u64::from(!solve.converged);
    }
    pub(crate) fn count_viscous(&mut self, solve: Solve) {
        self.viscous_iterations += u64::from(solve.iterations);
        self.viscous_unconverged += u64::from(!solve.converged);
    }
}
