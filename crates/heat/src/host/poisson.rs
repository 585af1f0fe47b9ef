//! Solutions of Poisson's equation, again and again with the same levels.
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_intrinsic::Laplacian;
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Progress, Run, axpby};
use ribbonmesh_multigrid::{Blocks, Cycle, Hierarchy, Modes, Multigrid, MultigridError, MultigridOptions};

/// Iterations at most.
const ITERATIONS: usize = 2000;
/// Iterations between two looks of the host.
const LOOK: usize = 4;

/// The Laplacian with the levels of multigrid, for many right-hand sides.
pub struct Poisson {
    matrix: Blocks<f64>,
    multigrid: Multigrid<f64>,
    solver: ConjugateGradients<Buffer<f64>>,
    z: Buffer<f64>,
}

impl Poisson {
    /// Copies the matrix and makes the levels. `fixed` has a 1 for each vertex whose row is empty. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(of: &Laplacian, fixed: Buffer<u32>) -> Result<Self> {
        let n = of.report().vertices;
        let (device, values) = (of.values().device().clone(), of.values().try_clone()?);
        let (starts, columns) = (of.starts().try_clone()?, of.columns().try_clone()?);
        let matrix = Blocks::new(n, [1, 1], starts, columns, values).map_err(library)?;
        let finest = Blocks::of_pattern(matrix.pattern().clone(), [1, 1], of.values().try_clone()?);
        let options = MultigridOptions::default();
        let multigrid = Multigrid::new(finest.map_err(library)?, Modes::Constant, Some(fixed), 1, options)
            .map_err(library)?;
        let solver = ConjugateGradients::new(&device, 1, || device.zeros(n))?;
        Ok(Self { matrix, multigrid, solver, z: device.zeros(n)? })
    }
    /// The levels.
    pub fn hierarchy(&self) -> &Hierarchy {
        self.multigrid.hierarchy()
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.z.device()
    }
    /// x for which L x = b, but for a constant on each component; from x = 0 on, until the residual is
    /// `tolerance` of b. The numbers of b must add up to 0 on each component, but for rounding.
    /// # Errors
    /// [`Error::Length`]; out of memory; errors of the driver.
    pub fn solve(&mut self, b: &Buffer<f64>, tolerance: f64) -> Result<(Buffer<f64>, Progress)> {
        let (expected, found) = (self.z.len(), b.len());
        if found != expected {
            return Err(Error::Length { what: "the right-hand side", expected, found });
        }
        let mut x = self.device().zeros(expected)?;
        self.solver.begin(tolerance, |to, run| -> Result<()> {
            axpby(run.device(), 1.0, b, 0.0, &mut to.r)?;
            run.begin(&to.r)
        })?;
        let mut cycle = Cycle { multigrid: &mut self.multigrid, z: &mut self.z };
        let limits = Limits { iterations: ITERATIONS, look: LOOK };
        let progress = self
            .solver
            .finish(&mut System(&self.matrix), Some(&mut cycle), &mut x, &limits)
            .map_err(library)?;
        Ok((x, progress))
    }
}

struct System<'a>(&'a Blocks<f64>);
impl Operator for System<'_> {
    type Vector = Buffer<f64>;
    type Error = MultigridError;
    fn direct(
        &mut self,
        z: &Buffer<f64>,
        p: &mut Buffer<f64>,
        q: &mut Buffer<f64>,
        run: &mut Run,
    ) -> ribbonmesh_multigrid::Result<()> {
        run.turn(z, p)?;
        self.0.multiply(1, p, q)?;
        Ok(run.step(p, q)?)
    }
}

/// An error of multigrid as one of the library.
pub fn library(error: MultigridError) -> Error {
    match error {
        MultigridError::Library(error) => error,
        other => Error::Invalid(other.to_string()),
    }
}
