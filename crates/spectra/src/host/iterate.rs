//! An iteration of the block method.
use super::block::{Space, panels};
use super::options::{SpectrumOptions, SpectrumTimes};
use super::problem::{LANES, Problem};
use super::small::{self, Ritz};
use crate::device::rows::{PickResiduals, RandomPanel, SetKnown, TakeDirections};
use faer::{Mat, MatRef};
use ribbonmesh::device::NONE;
use ribbonmesh::{Buffer, Device, Result};
use std::time::Instant;

/// Columns are orthonormal enough if no product differs by more from that of the unit matrix.
const SLANTED: f64 = 0.1;

/// Seconds of parts.
pub struct Clock {
    device: Device,
    timed: bool,
    pub times: SpectrumTimes,
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
pub struct Run<'a> {
    pub problem: &'a mut dyn Problem,
    block: usize,
    pub space: Space,
    /// Eigenvalues and residuals of Q.
    pub locked: Vec<(f64, f64)>,
    /// Eigenvalues of X, and those for each column of its panels on the device.
    pub values: Vec<f64>,
    of_panels: Buffer<f64>,
    /// Products of P by the matrix.
    energy: Mat<f64>,
    panel: [Buffer<f32>; 2],
    pub clock: Clock,
}
impl<'a> Run<'a> {
    pub fn new(problem: &'a mut dyn Problem, options: &SpectrumOptions, block: usize) -> Result<Self> {
        let (device, n) = (problem.device().clone(), problem.unknowns());
        let space = Space::new(&device, n, block, options.count)?;
        let panel = [device.zeros(n * LANES)?, device.zeros(n * LANES)?];
        let (of_panels, energy) = (device.zeros(0)?, Mat::zeros(0, 0));
        let clock = Clock { device, timed: options.timed, times: SpectrumTimes::default() };
        let (locked, values) = (vec![], vec![]);
        Ok(Self { problem, block, space, locked, values, of_panels, energy, panel, clock })
    }
    /// Eigenvectors that are known as Q, and smooth functions as X.
    pub fn begin(&mut self, known: usize) -> Result<()> {
        let (device, n) = (self.clock.device.clone(), self.problem.unknowns());
        let columns = self.block - known;
        if known > 0 {
            let vectors = self.problem.known_vectors(known)?;
            let kernel = SetKnown {
                n: n as u32,
                known: known as u32,
                vectors: vectors.view(),
                roots: self.problem.roots().view(),
                to: self.space.q.view_mut(),
            };
            device.launch_each((n * known) as u32, kernel)?;
        }
        self.space.locked = known;
        self.locked = vec![(0.0, 0.0); known];
        for first in (0..columns).step_by(LANES) {
            let kernel = RandomPanel {
                first: first as u32,
                end: columns as u32,
                roots: self.problem.roots().view(),
                to: self.panel[0].view_mut(),
            };
            device.launch_each((n * LANES) as u32, kernel)?;
            self.precondition(first)?;
        }
        self.space.counts = [0, 0, columns];
        self.improve(&[])
    }
    /// The first columns of X, with their residuals, go to Q.
    pub fn lock(&mut self, residuals: &[f64]) -> Result<()> {
        self.space.lock(residuals.len())?;
        self.locked.extend(self.values.drain(..residuals.len()).zip(residuals.iter().copied()));
        Ok(())
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
    pub fn residuals(&mut self) -> Result<Vec<f64>> {
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
    pub fn directions(&mut self, active: &[usize], residuals: &[f64]) -> Result<()> {
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
    pub fn improve(&mut self, active: &[usize]) -> Result<()> {
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
                let columns = if x == 0 { w } else { x };
                Ritz::new(gram.as_ref(), energy.as_ref(), columns, x, active)
            },
        )?;
        clock.time(|times| &mut times.combine, || space.step(found.x.as_ref(), found.p.as_ref()))?;
        (self.values, self.energy) = (found.values, found.energy);
        Ok(())
    }
    /// Makes W orthogonal to Q, X and P, and its columns nearly orthonormal, without those that depend on
    /// others; products of the columns of X, P and W with those of W then.
    fn orthonormalize(&mut self) -> Result<Mat<f64>> {
        let (space, clock) = (&mut self.space, &mut self.clock);
        let mut products = clock.time(|times| &mut times.products, || space.products())?;
        for _ in 0..4 {
            let old = space.locked + space.counts[0] + space.counts[1];
            let factors = clock.time(|times| &mut times.small, || without(old, products.as_ref()))?;
            clock.time(|times| &mut times.combine, || space.replace_w(factors.as_ref()))?;
            products = clock.time(|times| &mut times.products, || space.products())?;
            if slant(old, products.as_ref()) < SLANTED {
                break;
            }
        }
        Ok(products.subrows(self.space.locked, self.space.columns()).to_owned())
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
