//! The linear systems of a search: conjugate gradients with multigrid.
use super::error::{EnergyError, Result, length};
use crate::device::assemble::MotionsOfVertices;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_linear::{ConjugateGradients, Limits, Outcome, Progress, axpby};
use ribbonmesh_multigrid::{Blocks, Cycle, Lanes, Modes, Multigrid, MultigridOptions, Pattern};
use std::sync::Arc;

/// Iterations of conjugate gradients at most.
const MOST: usize = 400;

/// The size of a matrix's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One number for three unknowns that do not depend on each other and have the same matrix.
    Alike,
    /// 3 × 3 numbers.
    Blocks,
}
impl Width {
    const fn size(self) -> usize {
        if matches!(self, Self::Alike) { 1 } else { 3 }
    }
    const fn lanes(self) -> u32 {
        if matches!(self, Self::Alike) { 3 } else { 1 }
    }
}

/// A matrix with its solver. The levels of multigrid are made with the first numbers; aggregates and patterns
/// stay for others.
#[derive(Debug)]
pub struct Solver {
    width: Width,
    matrix: Blocks<f64>,
    multigrid: Option<Multigrid<f64>>,
    fixed: Buffer<u32>,
    iteration: ConjugateGradients<Buffer<f64>>,
    z: Buffer<f64>,
}

impl Solver {
    /// A solver for matrices of a pattern, without numbers yet. Where unknowns are alike, all three of a
    /// vertex are fixed or none.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(pattern: Arc<Pattern>, width: Width, fixed: &Buffer<u32>) -> Result<Self> {
        let (device, size, n) = (fixed.device().clone(), width.size(), 3 * pattern.rows());
        length("words of fixed unknowns", pattern.rows(), fixed.len())?;
        let numbers = device.zeros(pattern.len() * size * size)?;
        let matrix = Blocks::of_pattern(pattern, [size; 2], numbers)?;
        let iteration = ConjugateGradients::new::<EnergyError>(&device, 0, || Ok(device.zeros::<f64>(n)?))?;
        let (fixed, z) = (fixed.try_clone()?, device.zeros(n)?);
        Ok(Self { width, matrix, multigrid: None, fixed, iteration, z })
    }
    /// The matrix, whose numbers are to be written before [`Solver::prepare`].
    pub fn matrix_mut(&mut self) -> &mut Blocks<f64> {
        &mut self.matrix
    }
    /// Makes the levels for the numbers that the matrix has. Rigid motions at `x` are what hardly costs
    /// energy.
    /// # Errors
    /// Errors of [`Multigrid::new`].
    pub fn prepare(&mut self, x: &Buffer<f64>) -> Result<()> {
        let (size, numbers) = (self.width.size(), self.matrix.numbers().try_clone()?);
        let copy = Blocks::of_pattern(self.matrix.pattern().clone(), [size; 2], numbers)?;
        match &mut self.multigrid {
            Some(multigrid) => multigrid.update(copy)?,
            None => {
                let modes = match self.width {
                    Width::Alike => Modes::Constant,
                    Width::Blocks => Modes::Six(motions(x)?),
                };
                let (fixed, options) = (Some(self.fixed.try_clone()?), MultigridOptions::default());
                let made = Multigrid::new(copy, modes, fixed, self.width.lanes(), options)?;
                self.multigrid = Some(made);
            }
        }
        Ok(())
    }
    /// Solves A d = b from d = 0 to a residual of `tolerance` times that of d = 0. Waits.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
    pub fn solve(&mut self, b: &Buffer<f64>, d: &mut Buffer<f64>, tolerance: f64) -> Result<Progress> {
        d.clear()?;
        self.iteration.begin(tolerance, |to, run| {
            axpby(run.device(), 1.0, b, 0.0, &mut to.r)?;
            run.begin(&to.r)
        })?;
        let mut system = Lanes { matrix: &self.matrix, lanes: self.width.lanes() };
        let limits = Limits { iterations: MOST, look: 3 };
        let progress = match &mut self.multigrid {
            Some(multigrid) => {
                let mut cycle = Cycle { multigrid, z: &mut self.z };
                self.iteration.finish(&mut system, Some(&mut cycle), d, &limits)?
            }
            None => self.iteration.finish(&mut system, None, d, &limits)?,
        };
        Ok(progress)
    }
}
/// Whether a solution is one: conjugate gradients did not meet a direction along which the matrix is not
/// positive.
pub fn sound(progress: &Progress) -> bool {
    progress.outcome != Outcome::Broken
}
/// The rigid motions at vertices.
fn motions(x: &Buffer<f64>) -> Result<Buffer<f64>> {
    let (device, vertices): (&Device, usize) = (x.device(), x.len() / 3);
    let mut to = device.unspecified::<f64>(18 * vertices)?;
    // any point near will do as the centre
    let middle = if vertices > 0 { x.read_range(3 * (vertices / 2), 3)? } else { vec![0.0; 3] };
    let middle = [middle[0], middle[1], middle[2]];
    device.launch_each(vertices as u32, MotionsOfVertices { middle, x: x.view(), to: to.view_mut() })?;
    Ok(to)
}
