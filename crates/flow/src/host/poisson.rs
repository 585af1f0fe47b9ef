//! The pressure's system on a grid, and its solution by multigrid, all of it on the device.
use super::closed::Closed;
use super::cycle::{Cycle, LevelBuffers};
use super::report::Solve;
use crate::device::cg::{Advance, Direction, Weigh};
use crate::device::level::{LevelArguments, LevelOutArguments};
use crate::device::multigrid::{COARSEST, Coarsen};
use ribbonmesh::device::{BufferViewMut, tiles};
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Outcome, Run, ScalarsArguments, Vectors};

/// The method of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Conjugate gradients with a V-cycle of multigrid as the preconditioner.
    #[default]
    ConjugateGradients,
    /// V-cycles alone, each as long as is best in its direction.
    Cycles,
}

/// Options of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoissonOptions {
    /// The method.
    pub method: Method,
    /// Smoothing steps before the coarser level, and as many after it: of the finest level, and of others.
    pub sweeps: [u32; 2],
    /// The length of the residual, as a part of the reference, at which a solve ends.
    pub tolerance: f64,
    /// Most iterations.
    pub iterations: u32,
    /// Iterations between two looks of the host at the residual, each of which waits.
    pub look: u32,
}
impl Default for PoissonOptions {
    fn default() -> Self {
        Self { method: Method::default(), sweeps: [1, 2], tolerance: 1e-4, iterations: 100, look: 4 }
    }
}
impl PoissonOptions {
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`].
    pub fn check(&self) -> Result<()> {
        let wrong = |option, value: String, expected| -> Result<()> {
            Err(Error::Option { option, value, expected })
        };
        if !(1e-6..1.0).contains(&self.tolerance) {
            let expected = "1e-6, which single precision reaches, to 1";
            return wrong("tolerance", self.tolerance.to_string(), expected);
        }
        let [fine, coarse] = self.sweeps;
        let counts =
            [("iterations", self.iterations), ("look", self.look), ("sweeps", fine), ("sweeps", coarse)];
        for (option, count) in counts {
            if !(1..=10_000).contains(&count) {
                return wrong(option, count.to_string(), "1 to 10000");
            }
        }
        Ok(())
    }
}

/// A system for one unknown in each cell of a grid, with a coefficient for each face between two cells.
///
/// The equation of a cell: diagonal · x − Σ coefficient · (x beyond the face) = b. The diagonal is at least
/// the sum of the coefficients; cells whose diagonal is 0 are no unknowns. About 50 bytes for each cell.
pub struct Poisson {
    device: Device,
    levels: Vec<LevelBuffers>,
    /// Right-hand sides and solutions of a V-cycle's levels. The finest level is solved for the residual, and
    /// has no `b`.
    b: Vec<Buffer<f32>>,
    x: Vec<Buffer<f32>>,
    d: Buffer<f32>,
    /// The last direction.
    last: Buffer<f32>,
    solver: ConjugateGradients<Buffer<f32>>,
    options: PoissonOptions,
    /// Parts whose solution is known up to a constant.
    closed: Option<Closed>,
}

/// The memory that the first kernels of a solve read and write.
pub struct Start<'a> {
    level: &'a mut LevelBuffers,
    /// The residual.
    pub r: &'a mut Buffer<f32>,
    /// The solution: that of the solve before, at first 0.
    pub d: &'a mut Buffer<f32>,
    /// The scalars of the solve.
    pub run: &'a mut Run,
    pub(crate) closed: Option<&'a Closed>,
}
impl Start<'_> {
    /// The arguments of a kernel that writes the matrix, the residual and the solution, and sums.
    pub fn all(&mut self) -> (LevelOutArguments<'_>, ScalarsArguments<'_>, [BufferViewMut<'_, f32>; 2]) {
        (self.level.view_mut(), self.run.scalars(), [self.r.view_mut(), self.d.view_mut()])
    }
    /// The arguments of a kernel that writes the residual and the solution, and sums.
    pub fn vectors(&mut self) -> (LevelArguments<'_>, ScalarsArguments<'_>, [BufferViewMut<'_, f32>; 2]) {
        (self.level.view(), self.run.scalars(), [self.r.view_mut(), self.d.view_mut()])
    }
}

impl Poisson {
    /// A system for this many cells along each axis, with a matrix of zeros.
    /// # Errors
    /// [`Error::Option`]; out of memory; errors of the driver.
    pub fn new(device: &Device, n: [u32; 3], options: &PoissonOptions) -> Result<Self> {
        options.check()?;
        let mut levels = vec![LevelBuffers::new(device, n)?];
        let mut coarse = n;
        while coarse.iter().product::<u32>() > COARSEST || levels.len() == 1 {
            coarse = coarse.map(|n| n.div_ceil(2));
            levels.push(LevelBuffers::new(device, coarse)?);
        }
        let of_level = |(l, level): (usize, &LevelBuffers)| {
            device.zeros(if l == 0 { 0 } else { level.count() as usize })
        };
        let count: u32 = n.iter().product();
        let zeros = || device.zeros::<f32>(count as usize);
        Ok(Self {
            device: device.clone(),
            b: levels.iter().enumerate().map(of_level).collect::<Result<_>>()?,
            x: levels.iter().map(|level| device.zeros(level.count() as usize)).collect::<Result<_>>()?,
            levels,
            d: zeros()?,
            last: zeros()?,
            solver: ConjugateGradients::new(device, tiles(count), zeros)?,
            options: *options,
            closed: None,
        })
    }
    /// Number of levels.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }
    /// The coefficients of a level, finest first: of each cell with the one before it along x, y and z, and
    /// the diagonal. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn matrix_of(&self, level: usize) -> Result<([u32; 3], [Vec<f32>; 4])> {
        let LevelBuffers { n, lower: [x, y, z], diagonal } = &self.levels[level];
        Ok((*n, [x.read()?, y.read()?, z.read()?, diagonal.read()?]))
    }
    /// The matrix of the finest level.
    pub(crate) fn finest(&self) -> LevelArguments<'_> {
        self.levels[0].view()
    }
    /// Its diagonal, 0 in cells that are no unknowns.
    pub fn diagonal(&self) -> &Buffer<f32> {
        &self.levels[0].diagonal
    }
    /// The solution, 0 in cells that are no unknowns.
    pub fn solution(&self) -> &Buffer<f32> {
        &self.d
    }
    /// Changes the matrix: `first` writes that of the finest level, and coarser ones follow. 47 bytes for
    /// each cell.
    /// # Errors
    /// Errors of `first`; errors of the driver.
    pub fn assemble(&mut self, first: impl FnOnce(LevelOutArguments<'_>) -> Result<()>) -> Result<()> {
        first(self.levels[0].view_mut())?;
        self.coarsen()
    }
    fn coarsen(&mut self) -> Result<()> {
        for l in 1..self.levels.len() {
            let (fine, coarse) = self.levels.split_at_mut(l);
            let (fine, to) = (fine[l - 1].view(), &mut coarse[0]);
            let (coarse, blocks) = (to.n, tiles(to.count()));
            self.device.launch(blocks, Coarsen { fine, coarse, to: to.view_mut() })?;
        }
        Ok(())
    }
    /// Takes the parts whose solution is known up to a constant.
    pub(crate) fn set_closed(&mut self, closed: Option<Closed>) {
        self.closed = closed;
    }
    /// These parts.
    pub(crate) fn closed(&self) -> Option<&Closed> {
        self.closed.as_ref()
    }
    /// Solves. `first` computes the residual of the first solution, and its last kernel ends with one of
    /// [`Scalars::begin`](ribbonmesh_linear::Scalars::begin) and
    /// [`Scalars::begin_relative`](ribbonmesh_linear::Scalars::begin_relative). With `changed` it also writes
    /// the matrix of the finest level, and coarser ones follow. Waits for the residual now and then.
    /// # Errors
    /// Errors of `first`; errors of the driver.
    pub fn solve(&mut self, changed: bool, first: impl FnOnce(Start<'_>) -> Result<()>) -> Result<Solve> {
        let (level, d) = (&mut self.levels[0], &mut self.d);
        let closed = self.closed.as_ref();
        self.solver
            .begin(self.options.tolerance, |to, run| first(Start { level, r: &mut to.r, d, run, closed }))?;
        if changed {
            self.coarsen()?;
        }
        let alone = u32::from(self.options.method == Method::Cycles);
        let mut finest = Finest { level: &self.levels[0], last: &mut self.last, alone };
        let (levels, closed, sweeps) = (&self.levels[..], self.closed.as_ref(), self.options.sweeps);
        let mut cycle = Cycle { levels, b: &mut self.b, x: &mut self.x, closed, sweeps };
        let limits =
            Limits { iterations: self.options.iterations as usize, look: self.options.look as usize };
        let progress = self.solver.finish(&mut finest, Some(&mut cycle), &mut self.d, &limits)?;
        let is_finite = progress.rr.is_finite() && progress.reference.is_finite();
        Ok(Solve {
            iterations: progress.iterations as u32,
            residual: if is_finite { progress.residual() } else { f64::NAN },
            converged: progress.outcome == Outcome::Converged,
        })
    }
}

/// The matrix of the finest level.
struct Finest<'a> {
    level: &'a LevelBuffers,
    last: &'a mut Buffer<f32>,
    alone: u32,
}
impl Operator for Finest<'_> {
    type Vector = Buffer<f32>;
    type Error = Error;
    fn direct(
        &mut self,
        z: &Buffer<f32>,
        p: &mut Buffer<f32>,
        q: &mut Buffer<f32>,
        run: &mut Run,
    ) -> Result<()> {
        std::mem::swap(p, self.last);
        let (device, level) = (run.device().clone(), self.level.view());
        let (scalars, alone, old) = (run.scalars(), self.alone, self.last.view());
        let kernel = Direction { level, scalars, alone, z: z.view(), old, p: p.view_mut(), q: q.view_mut() };
        device.launch(tiles(self.level.count()), kernel)
    }
    fn advance(&mut self, with: &mut Vectors<Buffer<f32>>, d: &mut Buffer<f32>, run: &mut Run) -> Result<()> {
        let (device, n) = (run.device().clone(), self.level.count());
        let kernel = Advance {
            n,
            scalars: run.scalars(),
            diagonal: self.level.diagonal.view(),
            p: with.p.view(),
            q: with.q.view(),
            d: d.view_mut(),
            r: with.r.view_mut(),
        };
        device.launch(tiles(n), kernel)
    }
    fn weigh(&mut self, r: &Buffer<f32>, z: &Buffer<f32>, run: &mut Run) -> Result<()> {
        let (device, n) = (run.device().clone(), self.level.count());
        let (scalars, diagonal) = (run.scalars(), self.level.diagonal.view());
        device.launch(tiles(n), Weigh { n, scalars, diagonal, r: r.view(), z: z.view() })
    }
}
