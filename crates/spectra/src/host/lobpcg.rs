//! The lowest eigenpairs by a locally optimal block method.
use super::block::{Space, panels};
use super::dense;
use super::options::{SpectrumOptions, SpectrumTimes};
use super::problem::{LANES, Problem};
use super::small::{self, Ritz};
use crate::device::rows::{
    ConstantsArguments, PickResiduals, RandomPanel, SetConstants, TakeDirections, Unscale,
};
use faer::{Mat, MatRef};
use ribbonmesh::device::NONE;
use ribbonmesh::{Buffer, Device, Error, Result};
use std::time::Instant;

/// Columns beyond those that are wanted, at least, and as a part of them: the last pairs that are wanted
/// converge by the distance to the first one that is in no column.
const GUARD: (usize, usize) = (8, 4);
/// Columns are orthonormal enough if no product differs by more from that of the unit matrix.
const SLANTED: f64 = 0.1;
/// Residuals of less than this many times what rounding leaves of a product are not made smaller.
const ROUNDED: f64 = 16.0;
/// A matrix with less than this many rows for a column is solved as a dense one.
const DENSE: usize = 4;

/// What [`lowest`] finds.
#[derive(Debug)]
pub struct Found {
    /// The lowest eigenvalues, ascending.
    pub values: Vec<f64>,
    /// Their eigenvectors, those of an unknown next to each other, orthonormal in the product of masses. Their
    /// signs have no meaning.
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
/// 2001), with a basis that is kept orthonormal (Duersch and others, *A robust and efficient implementation of
/// LOBPCG*, 2018). Pairs that have converged stay in the block, and get no directions any more. Waits in each
/// iteration.
///
/// A few columns more than are wanted: five blocks of `1.25 count` columns of double precision. An iteration
/// takes about `26 count²` products for each row. Matrices of few rows are solved as dense ones.
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
    let known = problem.known().masses.len().min(count);
    let block = (count + GUARD.0.max(count / GUARD.1)).next_multiple_of(LANES);
    if problem.unknowns() as u64 * block as u64 > u64::from(u32::MAX) {
        let expected = "less: vectors have at most 4,294,967,295 numbers in all";
        return Err(Error::Option { option: "count", value: count.to_string(), expected });
    }
    if known == count {
        let none = problem.device().zeros(0)?;
        return Found::new(problem, options, (vec![0.0; count], none), vec![0.0; count]);
    }
    if live < DENSE * block {
        let (values, vectors) = dense::lowest(problem, count)?;
        return Found::new(problem, options, (values, vectors), vec![0.0; count]);
    }
    let mut run = Run::new(problem, options, block)?;
    run.begin(known)?;
    let mut iterations = 0;
    loop {
        let residuals = run.residuals()?;
        let active: Vec<usize> = (0..residuals.len())
            .filter(|&j| residuals[j] > small(run.problem, options, run.values[j]))
            .collect();
        if iterations == options.iterations || active.first().is_none_or(|&first| first >= count) {
            let Run { space, values, clock, .. } = run;
            let found = Found::new(problem, options, (values, space.x), residuals)?;
            return Ok(Found { block, iterations, times: clock.times, ..found });
        }
        run.directions(&active, &residuals)?;
        run.improve(&active)?;
        iterations += 1;
    }
}
impl Found {
    /// From scaled vectors in panels.
    fn new(
        problem: &dyn Problem,
        options: &SpectrumOptions,
        (mut values, x): (Vec<f64>, Buffer<f64>),
        mut residuals: Vec<f64>,
    ) -> Result<Self> {
        let (device, n, count) = (problem.device(), problem.unknowns(), options.count);
        let known = problem.known().masses.len().min(count);
        values.truncate(count);
        residuals.truncate(count);
        values[..known].fill(0.0);
        residuals[..known].fill(0.0);
        let constants = Constants::new(problem, known)?;
        let mut vectors = device.unspecified(n * count)?;
        let kernel = Unscale {
            n: n as u32,
            functions: count as u32,
            known: constants.view(),
            roots: problem.roots().view(),
            x: x.view(),
            to: vectors.view_mut(),
        };
        device.launch_each((n * count) as u32, kernel)?;
        device.synchronize()?;
        let pairs = || residuals.iter().zip(&values);
        let residual = pairs().map(|(length, value)| length / scale(problem, *value)).fold(0.0, f64::max);
        let converged = pairs().filter(|&(length, value)| *length <= small(problem, options, *value)).count();
        let (block, iterations, times) = (0, 0, SpectrumTimes::default());
        Ok(Self { values, vectors, block, iterations, residual, converged, times })
    }
}

/// What residuals of an eigenvalue are compared with.
fn scale(problem: &dyn Problem, value: f64) -> f64 {
    value.max(problem.shift())
}
/// The length of a residual that is small enough.
fn small(problem: &dyn Problem, options: &SpectrumOptions, value: f64) -> f64 {
    (options.tolerance * scale(problem, value)).max(ROUNDED * problem.rounding())
}

/// Eigenvectors that are known, on the device.
struct Constants {
    of: Buffer<u32>,
    by: Buffer<f64>,
}
impl Constants {
    fn new(problem: &dyn Problem, count: usize) -> Result<Self> {
        let known = problem.known();
        let of: Vec<u32> = known.of.iter().map(|&of| if (of as usize) < count { of } else { NONE }).collect();
        let by: Vec<f64> = known.masses[..count].iter().map(|mass| 1.0 / mass.sqrt()).collect();
        Ok(Self { of: problem.device().upload(&of)?, by: problem.device().upload(&by)? })
    }
    fn view(&self) -> ConstantsArguments<'_> {
        ConstantsArguments { of: self.of.view(), by: self.by.view() }
    }
}

/// Seconds of parts.
struct Clock {
    device: Device,
    timed: bool,
    times: SpectrumTimes,
}
impl Clock {
    fn time<T>(
        &mut self,
        part: impl FnOnce(&mut SpectrumTimes) -> &mut f64,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        if !self.timed {
            return work();
        }
        let started = Instant::now();
        let done = work()?;
        self.device.synchronize()?;
        *part(&mut self.times) += started.elapsed().as_secs_f64();
        Ok(done)
    }
}

/// The state between iterations.
struct Run<'a> {
    problem: &'a mut dyn Problem,
    block: usize,
    space: Space,
    /// Eigenvalues of X, and those for each column of its panels on the device.
    values: Vec<f64>,
    of_panels: Buffer<f64>,
    /// Products of P by the matrix.
    energy: Mat<f64>,
    panel: [Buffer<f32>; 2],
    clock: Clock,
}
impl<'a> Run<'a> {
    fn new(problem: &'a mut dyn Problem, options: &SpectrumOptions, block: usize) -> Result<Self> {
        let (device, n) = (problem.device().clone(), problem.unknowns());
        let space = Space::new(&device, n, block)?;
        let panel = [device.zeros(n * LANES)?, device.zeros(n * LANES)?];
        let (of_panels, energy) = (device.zeros(0)?, Mat::zeros(0, 0));
        let clock = Clock { device, timed: options.timed, times: SpectrumTimes::default() };
        Ok(Self { problem, block, space, values: vec![], of_panels, energy, panel, clock })
    }
    /// Eigenvectors that are known, and smooth functions.
    fn begin(&mut self, known: usize) -> Result<()> {
        let (device, n) = (self.clock.device.clone(), self.problem.unknowns());
        for first in (0..self.block).step_by(LANES) {
            let kernel = RandomPanel {
                first: first as u32,
                begin: known as u32,
                end: self.block as u32,
                roots: self.problem.roots().view(),
                to: self.panel[0].view_mut(),
            };
            device.launch_each((n * LANES) as u32, kernel)?;
            self.precondition(first)?;
        }
        let constants = Constants::new(self.problem, known)?;
        let kernel = SetConstants {
            n: n as u32,
            known: constants.view(),
            roots: self.problem.roots().view(),
            to: self.space.w.view_mut(),
        };
        device.launch_each(n as u32, kernel)?;
        self.space.counts = [0, 0, self.block];
        self.improve(&[])
    }
    /// The cycle's result for the panel that is prepared, into the panel of W that begins at a column.
    fn precondition(&mut self, first: usize) -> Result<()> {
        let (n, problem) = (self.problem.unknowns(), &mut *self.problem);
        let ([r, z], w) = (&mut self.panel, &mut self.space.w);
        self.clock.time(
            |times| &mut times.precondition,
            || {
                problem.precondition(r, z)?;
                let (roots, from) = (problem.roots().view(), z.view());
                let kernel = TakeDirections { first: (n * first) as u32, roots, from, to: w.view_mut() };
                problem.device().launch_each((n * LANES) as u32, kernel)
            },
        )
    }
    /// The length of the residual of each column. The first spare block gets A X.
    fn residuals(&mut self) -> Result<Vec<f64>> {
        let (problem, space) = (&*self.problem, &mut self.space);
        let mut padded = self.values.clone();
        padded.resize(LANES * panels(padded.len()), 0.0);
        self.of_panels = problem.device().upload(&padded)?;
        let of_panels = &self.of_panels;
        self.clock.time(
            |times| &mut times.multiply,
            || {
                problem.multiply(panels(space.counts[0]), &space.x, &mut space.spare[0])?;
                space.residuals(of_panels)
            },
        )
    }
    /// Preconditioned residuals of the active columns become W.
    fn directions(&mut self, active: &[usize], residuals: &[f64]) -> Result<()> {
        let n = self.problem.unknowns();
        for (i, columns) in active.chunks(LANES).enumerate() {
            let (mut list, mut by) = ([NONE; LANES], [0.0; LANES]);
            for (lane, &column) in columns.iter().enumerate() {
                list[lane] = column as u32;
                by[lane] = 1.0 / residuals[column];
            }
            let device = &self.clock.device;
            let (list, by) = (device.upload(&list)?, device.upload(&by)?);
            let kernel = PickResiduals {
                n: n as u32,
                list: list.view(),
                by: by.view(),
                roots: self.problem.roots().view(),
                x: self.space.x.view(),
                ax: self.space.spare[0].view(),
                values: self.of_panels.view(),
                to: self.panel[0].view_mut(),
            };
            device.launch_each((n * LANES) as u32, kernel)?;
            self.precondition(i * LANES)?;
        }
        self.space.counts[2] = active.len();
        Ok(())
    }
    /// Makes W orthonormal, and replaces X and P by the best of the space of all columns; P has the steps of
    /// the active ones.
    fn improve(&mut self, active: &[usize]) -> Result<()> {
        let gram = self.orthonormalize()?;
        let (problem, space, clock) = (&*self.problem, &mut self.space, &mut self.clock);
        clock.time(
            |times| &mut times.multiply,
            || problem.multiply(panels(space.counts[2]), &space.w, &mut space.spare[0]),
        )?;
        let energy = clock.time(|times| &mut times.products, || space.products_with_spare())?;
        let [x, p, w] = space.counts;
        let (values, before) = (&self.values, &self.energy);
        let found = clock.time(
            |times| &mut times.small,
            || {
                let gram = whole(x + p, gram.as_ref(), |i, j| f64::from(u8::from(i == j)));
                let energy = whole(x + p, energy.as_ref(), |i, j| match (i < x, j < x) {
                    (true, true) if i == j => values[i],
                    (false, false) => before[(i - x, j - x)],
                    _ => 0.0,
                });
                debug_assert_eq!(gram.nrows(), x + p + w);
                Ritz::new(gram.as_ref(), energy.as_ref(), self.block, x, active)
            },
        )?;
        clock.time(|times| &mut times.combine, || space.step(found.x.as_ref(), found.p.as_ref()))?;
        (self.values, self.energy) = (found.values, found.energy);
        Ok(())
    }
    /// Makes W orthogonal to X and P, and its columns nearly orthonormal, without those that depend on
    /// others; products of all columns with those of W then.
    fn orthonormalize(&mut self) -> Result<Mat<f64>> {
        let (space, clock) = (&mut self.space, &mut self.clock);
        let mut products = clock.time(|times| &mut times.products, || space.products())?;
        for _ in 0..4 {
            let old = space.counts[0] + space.counts[1];
            let factors = clock.time(|times| &mut times.small, || without(old, products.as_ref()))?;
            clock.time(|times| &mut times.combine, || space.replace_w(factors.as_ref()))?;
            products = clock.time(|times| &mut times.products, || space.products())?;
            if slant(old, products.as_ref()) < SLANTED {
                break;
            }
        }
        Ok(products)
    }
}

/// The symmetric matrix whose last columns are `last`, and whose first `old` rows and columns are `first`.
fn whole(old: usize, last: MatRef<'_, f64>, first: impl Fn(usize, usize) -> f64) -> Mat<f64> {
    let n = last.nrows();
    Mat::from_fn(n, n, |i, j| match (i < old, j < old) {
        (true, true) => first(i, j),
        (_, false) if i >= old => 0.5 * (last[(i, j - old)] + last[(j, i - old)]),
        (_, false) => last[(i, j - old)],
        (false, true) => last[(j, i - old)],
    })
}
/// Factors that make W orthogonal to the `old` columns before it, which are orthonormal, and orthonormal.
fn without(old: usize, products: MatRef<'_, f64>) -> Result<Mat<f64>> {
    let (within, own) = products.split_at_row(old);
    let lengths: Vec<f64> = (0..own.ncols()).map(|j| own[(j, j)]).collect();
    let left = own - within.transpose() * within;
    let factors = small::orthonormal(left.as_ref(), &lengths)?;
    let back = within * &factors;
    Ok(Mat::from_fn(products.nrows(), factors.ncols(), |i, j| {
        if i < old { -back[(i, j)] } else { factors[(i - old, j)] }
    }))
}
/// The greatest difference of the products of W from those of orthonormal columns.
fn slant(old: usize, products: MatRef<'_, f64>) -> f64 {
    let mut most: f64 = 0.0;
    for j in 0..products.ncols() {
        for i in 0..products.nrows() {
            let unit = f64::from(u8::from(i == old + j));
            most = most.max((products[(i, j)] - unit).abs());
        }
    }
    most
}
