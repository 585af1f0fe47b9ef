//! Newton's method with Hessians of elements that are projected where they are indefinite.
use super::error::{EnergyError, Result, length};
use super::objective::Objective;
use super::report::{Ended, MinimumReport};
use super::search::{SAFE, backtrack};
use super::solver::{Solver, Width, sound};
use crate::device::inertia::Only;
use ribbonmesh::Buffer;
use ribbonmesh_linear::{axpby, dot};
use ribbonmesh_multigrid::MultigridError;

/// Parameters of [`newton`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonOptions {
    /// The search ends when the gradient is this part of the first one; above 0.
    pub tolerance: f64,
    /// Iterations at most.
    pub iterations: usize,
    /// The least residual of a linear system relative to its right-hand side, above 0. Far from the minimum
    /// systems are solved less exactly, as much as quadratic convergence allows.
    pub linear: f64,
    /// Whether Hessians of elements lose their negative eigenvalues far from the minimum: always, or only
    /// where the matrix of all is not positive definite, as near the minimum.
    pub project: bool,
}
impl Default for NewtonOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, iterations: 100, linear: 1e-8, project: true }
    }
}
impl NewtonOptions {
    fn check(&self) -> Result<()> {
        for (option, value) in [("tolerance", self.tolerance), ("linear tolerance", self.linear)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(EnergyError::Option { option, value, expected: "between 0 and 1" });
            }
        }
        Ok(())
    }
}

/// Finds a minimum near `x` by Newton's method: a system with the Hessian for each step, and a line search
/// that stays where no element turns inside out. Convergence is quadratic near a minimum where the Hessian is
/// positive definite. Bit `c` of a vertex's word in `fixed` says that its coordinate `c` stays. All vectors
/// and matrices are on the device; the host reads a few numbers for each step.
///
/// Fixed unknowns should leave no motion that costs no energy; where they do, the search goes on with a
/// shifted matrix, slower.
/// # Errors
/// [`EnergyError::Option`]; [`ribbonmesh::Error::Length`]; [`EnergyError::Start`] where
/// the energy is not finite at `x`; out of memory; errors of the driver.
pub fn newton<O: Objective>(
    objective: &mut O,
    fixed: &Buffer<u32>,
    x: &mut Buffer<f64>,
    options: &NewtonOptions,
) -> Result<MinimumReport> {
    let fixed = objective.fixed(fixed)?;
    Newton::new(objective, &fixed)?.minimize(objective, &fixed, x, options)
}

/// Newton's method with the memory and the levels of its solver, for one search after the other: the levels
/// are made for the first one.
#[derive(Debug)]
pub struct Newton {
    solver: Solver,
    g: Buffer<f64>,
    b: Buffer<f64>,
    d: Buffer<f64>,
    next: Buffer<f64>,
}
impl Newton {
    /// A method for objectives with a pattern; `fixed` is that of [`Objective::fixed`].
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
    pub fn new<O: Objective>(objective: &O, fixed: &Buffer<u32>) -> Result<Self> {
        let solver = Solver::new(objective.pattern().clone(), Width::Blocks, fixed)?;
        let zeros = || fixed.device().zeros::<f64>(3 * fixed.len());
        Ok(Self { solver, g: zeros()?, b: zeros()?, d: zeros()?, next: zeros()? })
    }
    /// Finds a minimum as [`newton`] does; the objective and `fixed` are those that this was made for.
    /// # Errors
    /// As [`newton`].
    pub fn minimize<O: Objective>(
        &mut self,
        objective: &mut O,
        fixed: &Buffer<u32>,
        x: &mut Buffer<f64>,
        options: &NewtonOptions,
    ) -> Result<MinimumReport> {
        options.check()?;
        length("coordinates of vertices", self.g.len(), x.len())?;
        let Self { solver, g, b, d, next } = self;
        let (device, mut report) = (x.device().clone(), MinimumReport::new());
        let mut value = objective.gradient(x, fixed, g)?;
        if !value.is_finite() {
            return Err(EnergyError::Start { value });
        }
        let (mut shift, mut bare) = (0.0, true);
        loop {
            let length = dot(&device, g, g)?.sqrt();
            report.energies.push(value);
            report.gradients.push(length);
            let first = report.gradients[0];
            if length <= options.tolerance * first {
                return Ok(report.end(Ended::Converged));
            }
            if report.iterations == options.iterations {
                return Ok(report.end(Ended::Iterations));
            }
            axpby(&device, -1.0, g, 0.0, b)?;
            let tolerance = (0.1 * length / first).clamp(options.linear, options.linear.max(1e-2));
            // a projected matrix is not the Hessian: near the minimum it would converge no faster than
            // linearly
            let project = options.project && !(bare && length < NEAR * first);
            let system = System { objective, fixed, x, b, g };
            let (slope, projected) =
                system.direction(solver, (d, &mut shift), tolerance, project, &mut report)?;
            bare &= project || !projected;
            let Some(slope) = slope else { return Ok(report.end(Ended::Rounding)) };
            let longest = SAFE * objective.longest_step(x, d)?;
            let evaluate = |x: &Buffer<f64>| objective.value(x);
            let Some(step) = backtrack((x, value), (d, slope), longest.min(1.0), next, evaluate)? else {
                return Ok(report.end(Ended::Rounding));
            };
            report.evaluations += step.evaluations;
            std::mem::swap(x, next);
            value = objective.gradient(x, fixed, g)?;
            report.iterations += 1;
        }
    }
    /// How free unknowns follow fixed ones along `way`, which is 0 where unknowns are free: into `d`, with
    /// fixed ones. `b` is memory.
    pub(crate) fn follow<O: Objective>(
        &mut self,
        objective: &mut O,
        (fixed, none): (&Buffer<u32>, &Buffer<u32>),
        x: &Buffer<f64>,
        way: &Buffer<f64>,
        (b, d): (&mut Buffer<f64>, &mut Buffer<f64>),
        tolerance: f64,
    ) -> Result<()> {
        let (device, solver) = (x.device(), &mut self.solver);
        objective.hessian(x, none, 0.0, true, solver.matrix_mut())?;
        solver.matrix_mut().multiply(1, way, &mut self.g)?;
        axpby(device, -1.0, &self.g, 0.0, &mut self.b)?;
        let only = Only { free: 1, fixed: fixed.view(), from: self.b.view(), to: b.view_mut() };
        device.launch_each(x.len() as u32, only)?;
        objective.hessian(x, fixed, 0.0, true, solver.matrix_mut())?;
        solver.prepare(x)?;
        solver.solve(b, d, tolerance)?;
        Ok(axpby(device, 1.0, way, 1.0, d)?)
    }
}

/// The system of a step.
struct System<'a, O> {
    objective: &'a mut O,
    fixed: &'a Buffer<u32>,
    x: &'a Buffer<f64>,
    b: &'a Buffer<f64>,
    g: &'a Buffer<f64>,
}
impl<O: Objective> System<'_, O> {
    /// Finds a direction along which the energy decreases; the slope. Where the matrix is not positive
    /// definite, Hessians are projected, then the diagonal is shifted, more and more. None if nothing helps.
    /// And whether Hessians were projected.
    fn direction(
        self,
        solver: &mut Solver,
        (d, shift): (&mut Buffer<f64>, &mut f64),
        tolerance: f64,
        mut project: bool,
        report: &mut MinimumReport,
    ) -> Result<(Option<f64>, bool)> {
        for _ in 0..TRIALS {
            self.objective.hessian(self.x, self.fixed, *shift, project, solver.matrix_mut())?;
            let sound = match solver.prepare(self.x) {
                Ok(()) => {
                    let progress = solver.solve(self.b, d, tolerance)?;
                    report.linear_iterations += progress.iterations;
                    sound(&progress)
                }
                Err(EnergyError::Solver(MultigridError::NotPositive { .. })) => false,
                Err(error) => return Err(error),
            };
            let slope = dot(self.x.device(), self.g, d)?;
            if sound && slope < 0.0 {
                *shift *= 0.1;
                return Ok((Some(slope), project));
            }
            if project {
                *shift = if *shift > 0.0 { 100.0 * *shift } else { self.least_shift(solver)? };
            }
            project = true;
        }
        Ok((None, project))
    }
    /// A small part of the matrix's numbers.
    fn least_shift(&self, solver: &mut Solver) -> Result<f64> {
        let numbers = solver.matrix_mut().numbers();
        let square = dot(self.x.device(), numbers, numbers)?;
        Ok(1e-8 * (square / numbers.len().max(1) as f64).sqrt())
    }
}
/// The gradient, beside the first one, below which the Hessian is tried as it is, without projection.
const NEAR: f64 = 1e-3;
/// Matrices that are tried for a step.
const TRIALS: usize = 8;
