//! Report of steps of a liquid.
use ribbonmesh_flow::Solve;
use serde::Serialize;

/// Report of the steps of a liquid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct GridReport {
    /// Sub-steps, each with one solve.
    pub substeps: u64,
    /// Iterations of all solves.
    pub iterations: u64,
    /// Most iterations of one solve.
    pub most_iterations: u32,
    /// The greatest residual that a solve has left.
    pub residual: f64,
    /// Solves that have not reached the tolerance. The remaining divergence of the velocities is then given
    /// by the residual.
    pub unconverged: u64,
    /// The greatest component of the velocity at the end, in and around the liquid.
    pub speed: f32,
}
impl GridReport {
    /// Counts a solve.
    pub(super) fn count(&mut self, solve: Solve) {
        self.substeps += 1;
        self.iterations += u64::from(solve.iterations);
        self.most_iterations = self.most_iterations.max(solve.iterations);
        self.residual = self.residual.max(solve.residual);
        self.unconverged += u64::from(!solve.converged);
    }
    /// Adds the report of later steps.
    pub fn add(&mut self, later: &Self) {
        self.substeps += later.substeps;
        self.iterations += later.iterations;
        self.most_iterations = self.most_iterations.max(later.most_iterations);
        self.residual = self.residual.max(later.residual);
        self.unconverged += later.unconverged;
        self.speed = later.speed;
    }
}
