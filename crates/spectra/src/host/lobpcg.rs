//! The lowest eigenpairs by a locally optimal block method.
use super::dense;
use super::iterate::Run;
use super::options::{SpectrumOptions, SpectrumTimes};
use super::problem::{LANES, Problem};
use crate::device::rows::Unscale;
use ribbonmesh::{Buffer, Error, Result};

/// Columns beyond those that are wanted, at least, and as a part of them: the last pairs that are wanted
/// converge by the distance to the first one that is in no column.
const GUARD: (usize, usize) = (8, 4);
/// Residuals of less than this many times what rounding leaves of a product are not made smaller.
const ROUNDED: f64 = 16.0;
/// Steps of windows before all columns are made orthonormal, and the best of their space.
const STEPS: usize = 3;
/// A matrix with less than this many rows for a column is solved as a dense one.
const DENSE: usize = 4;

/// The result of [`lowest`].
#[derive(Debug)]
pub struct Found {
    /// The lowest eigenvalues, ascending.
    pub values: Vec<f64>,
    /// Their eigenvectors, those of an unknown next to each other, orthonormal in the product of masses.
    /// Their signs have no meaning.
    pub vectors: Buffer<f64>,
    /// Columns of the block; 0 for a dense matrix.
    pub block: usize,
    /// Iterations.
    pub iterations: usize,
    /// The greatest residual of a pair, as a part of its eigenvalue.
    pub residual: f64,
    /// Pairs within the tolerance, or as good as rounding allows.
    pub converged: usize,
    /// Seconds of parts, where they are measured.
    pub times: SpectrumTimes,
}

/// The lowest eigenpairs of a matrix: LOBPCG (Knyazev, *Toward the optimal preconditioned eigensolver*,
/// 2001), in windows of sixteen columns where more than 32 are active; every third step all columns are made
/// orthonormal, and the best of their space (Vecharynski, Yang and Pask, *A projected preconditioned
/// conjugate gradient algorithm for computing many extreme eigenpairs of a Hermitian matrix*, 2015). Pairs
/// that have converged then, with all lower ones, leave the block; others get no directions any more.
/// Waits in each iteration.
///
/// A few columns more than are wanted: six blocks of `1.25 count` columns of double precision, and one of
/// `count`. An iteration takes `10 count²` products for each row, and fewer where few columns are active.
/// Matrices of few rows are solved as dense ones.
/// # Errors
/// [`Error::Option`] if there are fewer unknowns that count than pairs are wanted, or if vectors have more
/// numbers than 32 bits count; [`Error::Invalid`] if numbers are not finite; out of memory; errors of the
/// driver.
pub fn lowest(problem: &mut dyn Problem, options: &SpectrumOptions) -> Result<Found> {
    options.check()?;
    let (count, live) = (options.count, problem.roots().read()?.iter().filter(|root| **root > 0.0).count());
    if count > live {
        let expected = "at most the number of vertices that have area";
        return Err(Error::Option { option: "count", value: count.to_string(), expected });
    }
    let known = problem.known().min(count);
    let block = (count + GUARD.0.max(count / GUARD.1)).next_multiple_of(LANES);
    if problem.unknowns() as u64 * block as u64 > u64::from(u32::MAX) {
        let expected = "less: vectors have at most 4,294,967,295 numbers in all";
        return Err(Error::Option { option: "count", value: count.to_string(), expected });
    }
    if known == count {
        let none = problem.device().zeros(0)?;
        return Found::new(problem, options, vec![(0.0, 0.0); count], &none);
    }
    if live < DENSE * block {
        let (values, vectors) = dense::lowest(problem, count, known)?;
        return Found::new(
            problem,
            options,
            values.into_iter().map(|value| (value, 0.0)).collect(),
            &vectors,
        );
    }
    let mut run = Run::new(problem, options, block)?;
    run.begin(known)?;
    let found = run.locked.len() + run.values.len();
    if found < count {
        return Err(dependent(found, count));
    }
    let mut iterations = 0;
    loop {
        let mut residuals = run.residuals()?;
        let mut active: Vec<usize> = (0..residuals.len())
            .filter(|&j| residuals[j] > small(run.problem, options, run.values[j]))
            .collect();
        let left = count - run.locked.len();
        let done = active.first().copied().unwrap_or(left).min(left);
        if iterations == options.iterations || done == left {
            run.lock(&residuals[..left])?;
            let Run { space, locked, clock, .. } = run;
            let found = Found::new(problem, options, locked, &space.q)?;
            return Ok(Found { block, iterations, times: clock.times, ..found });
        }
        run.directions(&active, &residuals)?;
        run.lock(&residuals[..done])?;
        active.iter_mut().for_each(|j| *j -= done);
        run.turn_steps(&active)?;
        for step in 0..STEPS {
            if step > 0 {
                residuals = run.residuals()?;
                let open = |&j: &usize| residuals[j] > small(run.problem, options, run.values[j]);
                if iterations == options.iterations || !active.iter().any(open) {
                    break;
                }
                run.directions(&active, &residuals)?;
            }
            run.improve(&active)?;
            iterations += 1;
        }
        run.ritz()?;
        if run.values.len() < count - run.locked.len() {
            return Err(dependent(run.locked.len() + run.values.len(), count));
        }
    }
}
fn dependent(found: usize, count: usize) -> Error {
    Error::Invalid(format!("{found} of {count} columns are independent"))
}
impl Found {
    /// From eigenvalues with residuals, and scaled vectors in panels, those that are known first.
    fn new(
        problem: &dyn Problem,
        options: &SpectrumOptions,
        pairs: Vec<(f64, f64)>,
        x: &Buffer<f64>,
    ) -> Result<Self> {
        let (device, n, count) = (problem.device(), problem.unknowns(), options.count);
        let known = problem.known().min(count);
        let mut order: Vec<usize> = (0..count).collect();
        order[known..].sort_by(|&a, &b| pairs[a].0.total_cmp(&pairs[b].0));
        let pairs: Vec<(f64, f64)> = order.iter().map(|&k| pairs[k]).collect();
        let order: Vec<u32> = order.into_iter().map(|k| k as u32).collect();
        let (of_known, order) = (problem.known_vectors(known)?, device.upload(&order)?);
        let mut vectors = device.unspecified(n * count)?;
        let kernel = Unscale {
            n: n as u32,
            functions: count as u32,
            known: known as u32,
            vectors: of_known.view(),
            order: order.view(),
            roots: problem.roots().view(),
            x: x.view(),
            to: vectors.view_mut(),
        };
        device.launch_each((n * count) as u32, kernel)?;
        device.synchronize()?;
        let parts = pairs.iter().map(|(value, length)| length / scale(problem, *value));
        let converged = pairs.iter().filter(|(value, length)| *length <= small(problem, options, *value));
        Ok(Self {
            residual: parts.fold(0.0, f64::max),
            converged: converged.count(),
            values: pairs.iter().map(|(value, _)| *value).collect(),
            vectors,
            block: 0,
            iterations: 0,
            times: SpectrumTimes::default(),
        })
    }
}

/// The measure with which residuals of an eigenvalue are compared.
fn scale(problem: &dyn Problem, value: f64) -> f64 {
    value.max(problem.shift())
}
/// The length of a residual that is small enough.
fn small(problem: &dyn Problem, options: &SpectrumOptions, value: f64) -> f64 {
    (options.tolerance * scale(problem, value)).max(ROUNDED * problem.rounding())
}
