//! Systems with one unknown for each vertex, solved for several right-hand sides at once.
use crate::device::matrix::HoldVector;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_linear::{Cholesky, ConjugateGradients, Elimination, Limits, Outcome, Progress, axpby, dot};
use ribbonmesh_multigrid::{Blocks, Cycle, Hierarchy, Lanes, Modes, Multigrid, MultigridOptions};
use std::sync::Arc;

/// Most unknowns of the coarsest level: its inverse takes the third power of them.
const COARSEST: usize = 100;
/// Iterations at most.
const ITERATIONS: usize = 2000;
/// Times at most that a solution by a factorization is refined by its residual.
const REFINEMENTS: usize = 3;
/// Iterations between two looks of the host.
const LOOK: usize = 4;

/// A symmetric positive definite matrix, with what solves it.
pub struct System {
    matrix: Blocks<f64>,
    /// 1 where values are held at 0.
    held: Buffer<u32>,
    way: Way,
}
enum Way {
    Multigrid(Box<Levels>),
    Factor(Cholesky),
}
struct Levels {
    multigrid: Multigrid<f64>,
    solver: ConjugateGradients<Buffer<f64>>,
    z: Buffer<f64>,
    lanes: u32,
}

impl System {
    /// By conjugate gradients with multigrid.
    pub fn iterative(matrix: Blocks<f64>, held: Buffer<u32>) -> Result<Self> {
        let (device, n) = (matrix.device().clone(), matrix.pattern().rows());
        let values = matrix.numbers().try_clone()?;
        let finest = Blocks::of_pattern(matrix.pattern().clone(), [1, 1], values)?;
        let options = MultigridOptions { coarsest: COARSEST, ..MultigridOptions::default() };
        let fixed = Some(held.try_clone()?);
        let multigrid = Multigrid::new(finest, Modes::Constant, fixed, 1, options)?;
        let solver = ConjugateGradients::new(&device, 1, || device.zeros(n))?;
        let levels = Levels { multigrid, solver, z: device.zeros(n)?, lanes: 1 };
        Ok(Self { matrix, held, way: Way::Multigrid(Box::new(levels)) })
    }
    /// By a factorization on the host; `None` where the matrix has none.
    pub fn direct(matrix: Blocks<f64>, held: Buffer<u32>, order: &Arc<Elimination>) -> Result<Option<Self>> {
        let factor = Cholesky::if_definite(order, &matrix.numbers().read()?)?;
        Ok(factor.map(|factor| Self { matrix, held, way: Way::Factor(factor) }))
    }
    pub fn device(&self) -> &Device {
        self.matrix.device()
    }
    /// The levels of multigrid; `None` for a factorization.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        match &self.way {
            Way::Multigrid(levels) => Some(levels.multigrid.hierarchy()),
            Way::Factor(_) => None,
        }
    }
    /// x for which A x = b, from x = 0 on: `lanes` right-hand sides, whose numbers at a vertex are next to
    /// each other. Those at vertices that are held are not read. Iterations end when the residual of all
    /// together is `tolerance` of b.
    pub fn solve(&mut self, b: &Buffer<f64>, lanes: u32, tolerance: f64) -> Result<(Buffer<f64>, Progress)> {
        let (expected, found) = (self.held.len() * lanes as usize, b.len());
        if found != expected {
            return Err(Error::Length { what: "the right-hand side", expected, found });
        }
        let device = self.device().clone();
        let held = self.held.view();
        let hold = |to: &mut Buffer<f64>| {
            let kernel = HoldVector { lanes, held, from: b.view(), to: to.view_mut() };
            device.launch_each(expected as u32, kernel)
        };
        match &mut self.way {
            Way::Multigrid(levels) => {
                levels.set_lanes(&device, self.held.len(), lanes)?;
                levels.solver.begin(tolerance, |to, run| -> Result<()> {
                    hold(&mut to.r)?;
                    run.begin(&to.r)
                })?;
                levels.finish(&self.matrix)
            }
            Way::Factor(factor) => {
                let mut right = device.unspecified(expected)?;
                hold(&mut right)?;
                let mut x = right.read()?;
                factor.solve(&mut x, lanes as usize)?;
                let mut x = device.upload(&x)?;
                let reference = dot(&device, &right, &right)?;
                let mut refinements = 0;
                loop {
                    let rest = residual(&self.matrix, lanes, &x, &right)?;
                    let rr = dot(&device, &rest, &rest)?;
                    let small = rr <= tolerance * tolerance * reference;
                    if small || refinements == REFINEMENTS {
                        let outcome = if small { Outcome::Converged } else { Outcome::Running };
                        return Ok((x, Progress { outcome, iterations: 0, rr, reference }));
                    }
                    let mut change = rest.read()?;
                    factor.solve(&mut change, lanes as usize)?;
                    axpby(&device, 1.0, &device.upload(&change)?, 1.0, &mut x)?;
                    refinements += 1;
                }
            }
        }
    }
}

impl Levels {
    fn set_lanes(&mut self, device: &Device, vertices: usize, lanes: u32) -> Result<()> {
        if lanes != self.lanes {
            let zeros = || device.zeros(vertices * lanes as usize);
            self.multigrid.set_lanes(lanes)?;
            (self.solver, self.z) = (ConjugateGradients::new(device, 1, zeros)?, zeros()?);
            self.lanes = lanes;
        }
        Ok(())
    }
    /// Solves for the residual with which a solve has begun.
    fn finish(&mut self, matrix: &Blocks<f64>) -> Result<(Buffer<f64>, Progress)> {
        let mut x = matrix.device().zeros(self.z.len())?;
        let mut cycle = Cycle { multigrid: &mut self.multigrid, z: &mut self.z };
        let limits = Limits { iterations: ITERATIONS, look: LOOK };
        let mut rows = Lanes { matrix, lanes: self.lanes };
        let progress = self.solver.finish(&mut rows, Some(&mut cycle), &mut x, &limits)?;
        Ok((x, progress))
    }
}

/// b - A x.
fn residual(matrix: &Blocks<f64>, lanes: u32, x: &Buffer<f64>, b: &Buffer<f64>) -> Result<Buffer<f64>> {
    let (device, mut rest) = (matrix.device(), b.try_clone()?);
    let mut product = device.unspecified(x.len())?;
    matrix.multiply(lanes, x, &mut product)?;
    axpby(device, -1.0, &product, 1.0, &mut rest)?;
    Ok(rest)
}
