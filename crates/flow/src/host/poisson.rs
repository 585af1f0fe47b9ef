//! The pressure's system on a grid, and its solution by multigrid, all of it on the device.
use super::closed::Closed;
use super::cycle::{Cycle, LevelBuffers, Levels};
use super::report::Solve;
use crate::device::cg::{Advance, Direction, Weigh};
use crate::device::level::{LevelArguments, LevelOutArguments};
use ribbonmesh::device::{BufferViewMut, tiles};
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_linear::{
    ConjugateGradients, Limits, Operator, Outcome, Preconditioner, Run, ScalarsArguments, Vectors,
};

/// The method of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Conjugate gradients with a V-cycle of multigrid as the preconditioner.
    #[default]
    ConjugateGradients,
    /// V-cycles alone, each as long as is best in its direction.
    Cycles,
    /// Conjugate gradients alone: fewer launches, and many more iterations unless diagonals dominate.
    Plain,
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
    /// Iterations between two looks of the host at the residual, each of which waits, at most.
    pub look: u32,
}
impl Default for PoissonOptions {
    fn default() -> Self {
        Self { method: Method::default(), sweeps: [2, 2], tolerance: 1e-4, iterations: 100, look: 4 }
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
    levels: Levels,
    d: Buffer<f32>,
    /// The last direction.
    last: Buffer<f32>,
    solver: ConjugateGradients<Buffer<f32>>,
    options: PoissonOptions,
    /// Iterations of the last solve.
    recent: usize,
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
        let count: u32 = n.iter().product();
        let zeros = || device.zeros::<f32>(count as usize);
        Ok(Self {
            levels: Levels::new(device, n)?,
            d: zeros()?,
            last: zeros()?,
            solver: ConjugateGradients::new(device, tiles(count), zeros)?,
            options: *options,
            recent: options.look as usize,
            closed: None,
        })
    }
    /// Changes the method.
    pub(crate) fn set_method(&mut self, method: Method) {
        self.options.method = method;
    }
    /// Number of levels.
    pub fn levels(&self) -> usize {
        self.levels.count()
    }
    /// The coefficients of a level, finest first: of each cell with the one before it along x, y and z, and
    /// the diagonal. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn matrix_of(&self, level: usize) -> Result<([u32; 3], [Vec<f32>; 4])> {
        self.levels.matrix_of(level)
    }
    /// The matrix of the finest level.
    pub(crate) fn finest(&self) -> LevelArguments<'_> {
        self.levels.large[0].view()
    }
    /// Its diagonal, 0 in cells that are no unknowns.
    pub fn diagonal(&self) -> &Buffer<f32> {
        &self.levels.large[0].diagonal
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
        first(self.levels.large[0].view_mut())?;
        self.levels.coarsen()
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
        let (level, d) = (&mut self.levels.large[0], &mut self.d);
        let closed = self.closed.as_ref();
        self.solver
            .begin(self.options.tolerance, |to, run| first(Start { level, r: &mut to.r, d, run, closed }))?;
        let with_levels = self.options.method != Method::Plain;
        if changed && with_levels {
            self.levels.coarsen()?;
        }
        let alone = u32::from(self.options.method == Method::Cycles);
        let (closed, sweeps) = (self.closed.as_ref(), self.options.sweeps);
        let Levels { large, b, x, tail } = &mut self.levels;
        let mut finest = Finest { level: &large[0], last: &mut self.last, alone };
        let mut cycle = Cycle { large, b, x, tail, closed, sweeps };
        // as many as the last solve took, at first
        let look = self.recent.clamp(1, self.options.look as usize);
        let limits = Limits { iterations: self.options.iterations as usize, look };
        let preconditioner = with_levels.then_some(&mut cycle as &mut dyn Preconditioner<_, _>);
        let progress = self.solver.finish(&mut finest, preconditioner, &mut self.d, &limits)?;
        self.recent = progress.iterations;
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
