//! Newton's method with Hessians of elements that are projected where they are indefinite.
use super::error::{EnergyError, Result, length};
use super::objective::Objective;
use super::report::{Ended, MinimumReport};
use super::search::{SAFE, backtrack};
use super::solver::{Solver, Width, sound};
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
    /// Whether Hessians of elements lose their negative eigenvalues: always, or only where the matrix of all
    /// is not positive definite.
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
    options.check()?;
    let device = x.device().clone();
    length("coordinates of vertices", 3 * objective.pattern().rows(), x.len())?;
    let fixed = objective.fixed(fixed)?;
    let zeros = || device.zeros::<f64>(x.len());
    let (mut g, mut b, mut d, mut next) = (zeros()?, zeros()?, zeros()?, zeros()?);
    let mut solver = Solver::new(objective.pattern().clone(), Width::Blocks, &fixed)?;
    let mut report = MinimumReport::new();
    let mut value = objective.gradient(x, &fixed, &mut g)?;
    if !value.is_finite() {
        return Err(EnergyError::Start { value });
    }
    let mut shift = 0.0;
    loop {
        let length = dot(&device, &g, &g)?.sqrt();
        report.energies.push(value);
        report.gradients.push(length);
        let first = report.gradients[0];
        if length <= options.tolerance * first {
            return Ok(report.end(Ended::Converged));
        }
        if report.iterations == options.iterations {
            return Ok(report.end(Ended::Iterations));
        }
        axpby(&device, -1.0, &g, 0.0, &mut b)?;
        let tolerance = (0.1 * length / first).clamp(options.linear, 1e-2);
        let system = System { objective, fixed: &fixed, x, b: &b, g: &g };
        let slope = system.direction(&mut solver, (&mut d, &mut shift), tolerance, options, &mut report)?;
        let Some(slope) = slope else { return Ok(report.end(Ended::Rounding)) };
        let longest = SAFE * objective.longest_step(x, &d)?;
        let evaluate = |x: &Buffer<f64>| objective.value(x);
        let Some(step) = backtrack((x, value), (&d, slope), longest.min(1.0), &mut next, evaluate)? else {
            return Ok(report.end(Ended::Rounding));
        };
        report.evaluations += step.evaluations;
        std::mem::swap(x, &mut next);
        value = objective.gradient(x, &fixed, &mut g)?;
        report.iterations += 1;
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
    fn direction(
        self,
        solver: &mut Solver,
        (d, shift): (&mut Buffer<f64>, &mut f64),
        tolerance: f64,
        options: &NewtonOptions,
        report: &mut MinimumReport,
    ) -> Result<Option<f64>> {
        let mut project = options.project;
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
                return Ok(Some(slope));
            }
            if project {
                *shift = if *shift > 0.0 { 100.0 * *shift } else { self.least_shift(solver)? };
            }
            project = true;
        }
        Ok(None)
    }
    /// A small part of the matrix's numbers.
    fn least_shift(&self, solver: &mut Solver) -> Result<f64> {
        let numbers = solver.matrix_mut().numbers();
        let square = dot(self.x.device(), numbers, numbers)?;
        Ok(1e-8 * (square / numbers.len().max(1) as f64).sqrt())
    }
}
/// Matrices that are tried for a step.
const TRIALS: usize = 8;
