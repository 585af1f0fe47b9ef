//! An iteration of the block method.
use super::block::Space;
use super::columns::panels;
use super::options::{SpectrumOptions, SpectrumTimes};
use super::problem::{LANES, Problem};
use super::small::{self, Step};
use crate::device::rows::{PickResiduals, RandomPanel, SetKnown, TakeDirections};
use faer::Mat;
use rayon::prelude::*;
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
    /// The columns of X whose steps are in P, before X was turned.
    steps: Vec<usize>,
    /// Factors of the columns of X then that give those of now.
    turn: Mat<f64>,
    panel: [Buffer<f32>; 2],
    pub clock: Clock,
}
impl<'a> Run<'a> {
    pub fn new(problem: &'a mut dyn Problem, options: &SpectrumOptions, block: usize) -> Result<Self> {
        let (device, n) = (problem.device().clone(), problem.unknowns());
        let space = Space::new(&device, n, block, options.count)?;
        let panel = [device.zeros(n * LANES)?, device.zeros(n * LANES)?];
        let (of_panels, turn) = (device.zeros(0)?, Mat::zeros(0, 0));
        let clock = Clock { device, timed: options.timed, times: SpectrumTimes::default() };
        let (locked, values, steps) = (vec![], vec![], vec![]);
        Ok(Self { problem, block, space, locked, values, of_panels, steps, turn, panel, clock })
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
        self.space.begin(columns);
        self.ritz()
    }
    /// The first columns of X, with their residuals, go to Q.
    pub fn lock(&mut self, residuals: &[f64]) -> Result<()> {
        self.space.lock(residuals.len())?;
        self.turn = self.turn.subcols(residuals.len(), self.turn.ncols() - residuals.len()).to_owned();
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
                space.multiply(problem)?;
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
                by[lane] = 1.0 / residuals[column].max(f64::MIN_POSITIVE);
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
        self.space.active = active.len();
        Ok(())
    }
    /// The steps of active columns become P, turned as X was, and orthogonal to Q and X.
    pub fn turn_steps(&mut self, active: &[usize]) -> Result<()> {
        let (space, clock) = (&mut self.space, &mut self.clock);
        if self.steps.is_empty() {
            return Ok(());
        }
        let within = clock.time(|times| &mut times.products, || space.products_of_p())?;
        let (steps, turn) = (&self.steps, &self.turn);
        let turned = Mat::from_fn(steps.len(), active.len(), |i, j| turn[(steps[i], active[j])]);
        let back = within * &turned;
        let old = back.nrows();
        let factors = Mat::from_fn(old + steps.len(), active.len(), |i, j| {
            if i < old { -back[(i, j)] } else { turned[(i - old, j)] }
        });
        clock.time(|times| &mut times.combine, || space.replace_p(factors))
    }
    /// Active columns become the best of the spaces of Y, P and W, window by window, and P their steps.
    pub fn improve(&mut self, active: &[usize]) -> Result<()> {
        let (problem, space, clock) = (&*self.problem, &mut self.space, &mut self.clock);
        let within = clock.time(|times| &mut times.products, || space.products_of_w())?;
        clock.time(|times| &mut times.combine, || space.project_w(-within))?;
        clock.time(|times| &mut times.multiply, || space.multiply_directions(problem))?;
        space.take(active)?;
        let products = clock.time(|times| &mut times.products, || space.products_of_windows())?;
        let (values, meet) = (&self.values, space.meet());
        let steps = clock.time(
            |times| &mut times.small,
            || {
                let windows = meet.windows(active.len());
                let found = windows.into_par_iter().enumerate().map(|(k, window)| {
                    let values: Vec<f64> = active[window].iter().map(|&j| values[j]).collect();
                    let [gram, energy] =
                        [0, 2].map(|at| side_by_side(products[at].get(k), &products[at + 1][k]));
                    Step::new(&values, gram.as_ref(), energy.as_ref())
                });
                found.collect::<Result<Vec<Step>>>()
            },
        )?;
        let values = steps.iter().flat_map(|step| &step.values);
        active.iter().zip(values).for_each(|(&j, value)| self.values[j] = *value);
        let (of_x, of_p): (Vec<_>, Vec<_>) = steps.into_iter().map(|step| (step.x, step.p)).unzip();
        clock.time(|times| &mut times.combine, || space.step(active, &of_p, &of_x))?;
        self.steps = active.to_vec();
        Ok(())
    }
    /// Makes X orthonormal and orthogonal to Q, and its columns the best approximations in its space.
    pub fn ritz(&mut self) -> Result<()> {
        let (space, clock) = (&mut self.space, &mut self.clock);
        let mut turn: Option<Mat<f64>> = None;
        for pass in 0.. {
            let old = space.locked;
            let products = clock.time(|times| &mut times.products, || space.products())?;
            let done = pass == 3 || small::slant(products.as_ref()) < SLANTED;
            let factors = if done {
                let (problem, values) = (&*self.problem, &mut self.values);
                clock.time(|times| &mut times.multiply, || space.multiply(problem))?;
                let energy = clock.time(|times| &mut times.products, || space.energies())?;
                let before: Vec<f64> = self.locked.iter().map(|(value, _)| *value).collect();
                let (found, factors) = clock
                    .time(|times| &mut times.small, || small::ritz(products.as_ref(), energy, &before))?;
                *values = found;
                factors
            } else {
                clock.time(|times| &mut times.small, || small::without(products.as_ref()))?
            };
            let own = factors.subrows(old, factors.nrows() - old);
            turn = Some(turn.map_or_else(|| own.to_owned(), |turn| turn * own));
            clock.time(|times| &mut times.combine, || space.replace(factors))?;
            if done {
                break;
            }
        }
        self.turn = turn.unwrap_or_else(|| Mat::zeros(0, 0));
        Ok(())
    }
}
/// The matrix of the columns of two, the first of which may have none.
fn side_by_side(first: Option<&Mat<f64>>, second: &Mat<f64>) -> Mat<f64> {
    let old = first.map_or(0, Mat::ncols);
    Mat::from_fn(second.nrows(), old + second.ncols(), |i, j| match first {
        Some(first) if j < old => first[(i, j)],
        _ => second[(i, j - old)],
    })
}
