//! The solution of the equations: conjugate gradients, restarted until the residual in double precision is
//! within the tolerance.
use super::error::Result;
use super::problem::{Options, Preconditioner};
use crate::{
    ConjugateGradients, FemError, Matrix, Multigrid, MultigridOptions, SolveOptions, Space, Storage,
};
use ribbonmesh::{Buffer, Device};
use std::time::Instant;

/// Relative residual that a run in single precision can reach: about six digits.
const SINGLE: f64 = 1e-5;
/// Factor of the rounding of the forces of the diagonal that gives the residual that rounding may leave.
const ROUNDING: f64 = 16.0;
/// Relative residual of rounding above which a solution is not accepted.
const SPOILT: f64 = 1e-4;

/// A linear system to be solved.
pub struct Equations<'a> {
    pub space: &'a Space<'a>,
    /// The matrix in double precision.
    pub exact: &'a Matrix<f64>,
    /// The same matrix in single precision, for the iteration.
    pub single: Option<&'a Matrix<f32>>,
    /// Bit `k` of a node's word: unknown `k` is fixed.
    pub fixed: &'a [u32],
    pub load: &'a [f64],
    /// Values of fixed unknowns, and initial values of the others.
    pub start: &'a [f64],
}
/// Result of the iteration.
#[derive(Default)]
pub struct Found {
    pub u: Vec<f64>,
    /// A u - b, in double precision.
    pub left: Vec<f64>,
    pub iterations: usize,
    /// Steps of Newton's method, and stages in which supports moved, of large displacements.
    pub newton_steps: usize,
    pub stages: usize,
    /// The energy of the strain, unless it is a half of forces times displacements.
    pub energy: Option<f64>,
    /// The residual in double precision, divided by the first one.
    pub residual: f64,
    /// The part of it that may be due to rounding.
    pub rounding: f64,
    pub converged: bool,
    pub levels: Vec<usize>,
    pub multigrid_bytes: usize,
    /// Methods that were tried before, in words.
    pub fallbacks: Vec<String>,
    /// Seconds of making the preconditioner.
    pub precondition: f64,
    pub solve: f64,
}
enum Ended {
    /// The residual is within the tolerance.
    Done,
    /// The limit of iterations is reached.
    Spent,
    /// The residual no longer decreases.
    Stalled,
    /// The matrix or the preconditioner is not positive definite in its precision.
    Broken(FemError),
}

/// A method of iteration.
#[derive(Clone, Copy)]
struct Way {
    /// Whether the matrix is in single precision.
    single: bool,
    /// Whether the preconditioner is multigrid.
    by_levels: bool,
    /// The number of iterations, of all methods together, at which it ends.
    until: usize,
}

impl Equations<'_> {
    fn device(&self) -> &Device {
        self.space.device()
    }
    fn is_free(&self, i: usize) -> bool {
        self.fixed[i / 3] >> (i % 3) & 1 == 0
    }
    /// A u - b, and its length over free unknowns.
    fn left(&self, u: &[f64]) -> Result<(Vec<f64>, f64)> {
        let (u, mut y) = (self.device().upload(u)?, self.device().zeros::<f64>(u.len())?);
        self.exact.multiply(&u, &mut y)?;
        let left: Vec<f64> = y.read()?.iter().zip(self.load).map(|(y, b)| y - b).collect();
        let free = left.iter().enumerate().filter(|(i, _)| self.is_free(*i));
        let length = free.map(|(_, x)| x * x).sum::<f64>().sqrt();
        Ok((left, length))
    }
    /// Solves with the preconditioner that the options name, in single precision first if there is such a
    /// matrix. Falls back to double precision if single precision fails, and to blocks if multigrid breaks
    /// down.
    pub fn solve(&self, options: &Options) -> Result<Found> {
        let mut found = Found { u: self.start.to_vec(), ..Found::default() };
        let first;
        (found.left, first) = self.left(&found.u)?;
        let mut length = first;
        let target = options.tolerance * first;
        let by_levels = options.preconditioner != Preconditioner::Blocks;
        let mut way = Way { single: self.single.is_some(), by_levels, until: options.max_iterations };
        loop {
            let ended = match self.single.filter(|_| way.single) {
                Some(matrix) => self.go(matrix, SINGLE, way, target, &mut length, &mut found)?,
                None => self.go(self.exact, 0.0, way, target, &mut length, &mut found)?,
            };
            match ended {
                Ended::Done | Ended::Spent => break,
                // no further method: double precision has stalled, too
                Ended::Stalled if !way.single => break,
                Ended::Broken(error) if !way.single && !way.by_levels => return Err(error.into()),
                Ended::Stalled => {
                    found.fallbacks.push(format!(
                        "single precision reaches a residual of {:.1e} by the first: solved in double precision",
                        length / first
                    ));
                    way.single = false;
                }
                Ended::Broken(_) if way.single => {
                    found.fallbacks.push(
                        "the matrix is not positive definite in single precision: solved in double precision"
                            .into(),
                    );
                    way.single = false;
                }
                Ended::Broken(_) => {
                    found.fallbacks.push(
                        "multigrid is not positive definite in its precision: solved with blocks as the preconditioner"
                            .into(),
                    );
                    way.by_levels = false;
                }
            }
        }
        found.residual = if first > 0.0 { length / first } else { 0.0 };
        if found.residual > options.tolerance {
            let diagonal = self.exact.diagonal()?;
            let free = (0..found.u.len()).filter(|&i| self.is_free(i));
            let forces = free.map(|i| (diagonal[i] * found.u[i]).powi(2)).sum::<f64>().sqrt();
            found.rounding = ROUNDING * f64::EPSILON * forces / first;
        }
        let within = found.residual <= options.tolerance;
        found.converged = within || found.residual <= found.rounding && found.rounding <= SPOILT;
        Ok(found)
    }
    /// Iterates with a matrix, and repeats this with the residual in double precision.
    #[allow(clippy::too_many_arguments)]
    fn go<S: Storage>(
        &self,
        matrix: &Matrix<S>,
        least: f64,
        way: Way,
        target: f64,
        length: &mut f64,
        found: &mut Found,
    ) -> Result<Ended> {
        let device = self.device();
        let seconds = |now: Instant| -> Result<f64> {
            device.synchronize()?;
            Ok(now.elapsed().as_secs_f64())
        };
        let now = Instant::now();
        let fixed = device.upload(self.fixed)?;
        (found.levels, found.multigrid_bytes) = (vec![], 0);
        let mut solver = if way.by_levels {
            let multigrid = Multigrid::new(self.exact, self.space, &fixed, &MultigridOptions::default())?;
            (found.levels, found.multigrid_bytes) = (multigrid.nodes().to_vec(), multigrid.bytes());
            ConjugateGradients::with_multigrid(matrix, &fixed, multigrid)?
        } else {
            ConjugateGradients::new(matrix, &fixed)?
        };
        found.precondition += seconds(now)?;
        let now = Instant::now();
        let ended = loop {
            if *length <= target {
                break Ended::Done;
            }
            let left = way.until.saturating_sub(found.iterations);
            if left == 0 {
                break Ended::Spent;
            }
            let right: Vec<f64> = found.left.iter().map(|x| -x).collect();
            let mut step: Buffer<f64> = device.zeros(right.len())?;
            let tolerance = (0.99 * target / *length).max(least);
            let options = SolveOptions { tolerance, max_iterations: left, ..SolveOptions::default() };
            let done = match solver.solve(&device.upload(&right)?, &mut step, &options) {
                Ok(done) => done,
                Err(error @ FemError::Breakdown { .. }) => break Ended::Broken(error),
                Err(error) => return Err(error.into()),
            };
            found.iterations += done.iterations;
            let moved: Vec<f64> = found.u.iter().zip(step.read()?).map(|(u, step)| u + step).collect();
            let (after, now) = self.left(&moved)?;
            let (better, much) = (now < *length, now < 0.5 * *length);
            if better {
                (found.u, found.left, *length) = (moved, after, now);
            }
            if !much && done.converged {
                break Ended::Stalled;
            }
            if !done.converged && *length > target {
                break Ended::Spent;
            }
        };
        found.solve += seconds(now)?;
        Ok(ended)
    }
}
