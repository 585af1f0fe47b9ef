//! Solutions of Poisson's equation, again and again with the same levels.
use crate::device::matrix::{HoldRows, HoldVector, RowsArguments};
use ribbonmesh::mesh::UnionFind;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_intrinsic::{Calculus, Laplacian};
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Progress, Run};
use ribbonmesh_multigrid::{Blocks, Cycle, Hierarchy, Modes, Multigrid, MultigridError, MultigridOptions};

/// Most unknowns of the coarsest level: its inverse takes the third power of them.
const COARSEST: usize = 100;
/// Iterations at most.
const ITERATIONS: usize = 2000;
/// Iterations between two looks of the host.
const LOOK: usize = 4;

/// The Laplacian with the levels of multigrid, for many right-hand sides.
///
/// The first vertex of each component is held at 0. So the matrix is positive definite, and rounding cannot
/// make constants grow, which would cost no energy.
pub struct Poisson {
    matrix: Blocks<f64>,
    multigrid: Multigrid<f64>,
    solver: ConjugateGradients<Buffer<f64>>,
    components: Vec<u32>,
    held: Buffer<u32>,
    z: Buffer<f64>,
}

impl Poisson {
    /// Makes the matrix and the levels. The host finds the components of vertices. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(of: &Calculus) -> Result<Self> {
        let (laplacian, device, n) =
            (of.laplacian(), of.triangulation().device().clone(), of.triangulation().vertices());
        let components = components(of)?;
        let held: Vec<u32> = (0..).zip(&components).map(|(v, root)| u32::from(v == *root)).collect();
        let held = device.upload(&held)?;
        let numbers = || -> Result<Buffer<f64>> {
            let mut to = device.unspecified::<f64>(laplacian.values().len())?;
            let kernel = HoldRows { rows: rows(laplacian), held: held.view(), to: to.view_mut() };
            device.launch_each(n as u32, kernel)?;
            Ok(to)
        };
        let (starts, columns) = (laplacian.starts().try_clone()?, laplacian.columns().try_clone()?);
        let matrix = Blocks::new(n, [1, 1], starts, columns, numbers()?).map_err(library)?;
        let finest = Blocks::of_pattern(matrix.pattern().clone(), [1, 1], numbers()?).map_err(library)?;
        let options = MultigridOptions { coarsest: COARSEST, ..MultigridOptions::default() };
        let fixed = Some(held.try_clone()?);
        let multigrid = Multigrid::new(finest, Modes::Constant, fixed, 1, options).map_err(library)?;
        let solver = ConjugateGradients::new(&device, 1, || device.zeros(n))?;
        Ok(Self { matrix, multigrid, solver, components, held, z: device.zeros(n)? })
    }
    /// The first vertex of the component of each vertex.
    pub fn components(&self) -> &[u32] {
        &self.components
    }
    /// The levels.
    pub fn hierarchy(&self) -> &Hierarchy {
        self.multigrid.hierarchy()
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.z.device()
    }
    /// x for which L x = b, 0 at the first vertex of each component; from x = 0 on, until the residual is
    /// `tolerance` of b. The numbers of b must add up to 0 on each component, but for rounding; those at
    /// vertices that are held are not read.
    /// # Errors
    /// [`Error::Length`]; out of memory; errors of the driver.
    pub fn solve(&mut self, b: &Buffer<f64>, tolerance: f64) -> Result<(Buffer<f64>, Progress)> {
        let (expected, found) = (self.z.len(), b.len());
        if found != expected {
            return Err(Error::Length { what: "the right-hand side", expected, found });
        }
        let mut x = self.device().zeros(expected)?;
        let held = self.held.view();
        self.solver.begin(tolerance, |to, run| -> Result<()> {
            let hold = HoldVector { held, from: b.view(), to: to.r.view_mut() };
            run.device().launch_each(expected as u32, hold)?;
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

/// The first vertex of the component of each vertex.
fn components(of: &Calculus) -> Result<Vec<u32>> {
    let of = of.triangulation();
    let (origin, next) = (of.origins().read()?, of.nexts().read()?);
    let mut sets = UnionFind::new(of.vertices());
    for (&v, &next) in origin.iter().zip(&next) {
        sets.join(v, origin[next as usize]);
    }
    Ok(sets.roots())
}

/// The rows of a Laplacian.
pub fn rows(of: &Laplacian) -> RowsArguments<'_> {
    RowsArguments { starts: of.starts().view(), columns: of.columns().view(), values: of.values().view() }
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
