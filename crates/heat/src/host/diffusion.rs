//! Implicit steps of diffusion.
use super::aggregates::Aggregates;
use super::choice::{choose, solver_of};
use super::options::{Chosen, Solver};
use super::poisson::{blocks, rows};
use super::system::System;
use crate::device::matrix::{HeatScales, HoldRows, RowsArguments, StepRows};
use ribbonmesh::{Buffer, Error, Result};
use ribbonmesh_intrinsic::Calculus;
use ribbonmesh_linear::{Elimination, Progress, axpby};
use ribbonmesh_multigrid::Blocks;

/// Steps of heat flow, backward Euler: (M + t L) u' = M u, for several functions at once. Stable for any time
/// t.
pub struct Diffusion {
    laplacian: Blocks<f64>,
    system: System,
    chosen: Chosen,
    time: f64,
}
impl Diffusion {
    /// The matrix of steps of a time, in the units of the masses, and what solves its systems. `held` has a 1
    /// for each vertex whose values stay, if there are such. Vertices without triangles keep theirs. Waits.
    /// # Errors
    /// [`Error::Option`] for a time that is not finite or below 0, and for [`Solver::Direct`] if the matrix
    /// has no factorization, by rounding; [`Error::Length`] unless `held` has a number for each vertex; out
    /// of memory; errors of the driver.
    pub fn new(of: &Calculus, time: f64, held: Option<&Buffer<u32>>, solver: Solver) -> Result<Self> {
        if !(time >= 0.0 && time.is_finite()) {
            let (value, expected) = (time.to_string(), "a finite number that is not negative");
            return Err(Error::Option { option: "time", value, expected });
        }
        let (laplacian, device) = (of.laplacian(), of.triangulation().device().clone());
        let n = laplacian.mass().len();
        if let Some(held) = held.filter(|held| held.len() != n) {
            return Err(Error::Length { what: "held vertices", expected: n, found: held.len() });
        }
        let held = held_with_isolated(laplacian.mass(), held)?;
        let (starts, columns) = (laplacian.starts().view(), laplacian.columns().view());
        let entries = laplacian.values().len();
        let (mut step, mut values) = (device.unspecified(entries)?, device.unspecified(entries)?);
        let (mass, to) = (laplacian.mass().view(), step.view_mut());
        device.launch_each(n as u32, StepRows { time, rows: rows(laplacian), mass, to })?;
        let step_rows = RowsArguments { starts, columns, values: step.view() };
        let to = values.view_mut();
        device.launch_each(n as u32, HoldRows { rows: step_rows, held: held.view(), to })?;

        let mut scales = device.unspecified(n)?;
        let to = scales.view_mut();
        device.launch_each(n as u32, HeatScales { time, rows: rows(laplacian), mass, scales: to })?;
        let aggregates = Aggregates::new(time, rows(laplacian), &scales)?;
        let order = || Elimination::new(laplacian.starts().read()?, laplacian.columns().read()?);
        let choice = choose(solver, &device, (&aggregates, 0), 1, order)?;
        let parts = || Ok((blocks(laplacian, values.try_clone()?)?, held.try_clone()?));
        let direct = |order: &_| parts().and_then(|(matrix, held)| System::direct(matrix, held, order));
        let iterative = || parts().and_then(|(matrix, held)| System::iterative(matrix, held));
        let (chosen, system) = solver_of(solver, choice, direct, iterative)?;
        let laplacian = blocks(laplacian, laplacian.values().try_clone()?)?;
        Ok(Self { laplacian, system, chosen, time })
    }
    /// Replaces functions by those after a step: `lanes` functions, whose values at a vertex are next to each
    /// other. The unknowns are differences, so that constants do not matter. Iterations end when the residual
    /// of all functions together is `tolerance` of the first one.
    /// # Errors
    /// [`Error::Length`]; out of memory; errors of the driver.
    pub fn step(&mut self, u: &mut Buffer<f64>, lanes: u32, tolerance: f64) -> Result<Progress> {
        let device = self.system.device().clone();
        let mut slope = device.unspecified(u.len())?;
        self.laplacian.multiply(lanes, u, &mut slope)?;
        let mut right = device.unspecified(u.len())?;
        axpby(&device, -self.time, &slope, 0.0, &mut right)?;
        let (change, progress) = self.system.solve(&right, lanes, tolerance)?;
        axpby(&device, 1.0, &change, 1.0, u)?;
        Ok(progress)
    }
    /// How systems are solved.
    pub fn chosen(&self) -> Chosen {
        self.chosen
    }
}

/// Vertices that are held, and those without mass, whose rows are empty.
fn held_with_isolated(mass: &Buffer<f64>, held: Option<&Buffer<u32>>) -> Result<Buffer<u32>> {
    let mut flags: Vec<u32> = mass.read()?.into_iter().map(|mass| u32::from(mass == 0.0)).collect();
    if let Some(held) = held {
        flags.iter_mut().zip(held.read()?).for_each(|(flag, held)| *flag |= u32::from(held != 0));
    }
    mass.device().upload(&flags)
}
