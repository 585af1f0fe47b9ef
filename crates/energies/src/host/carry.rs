//! Fixed unknowns that are moved, the rest with them.
use super::error::{EnergyError, Result, length};
use super::newton::{Newton, NewtonOptions};
use super::objective::{Objective, moved};
use crate::device::inertia::Only;
use ribbonmesh::{Buffer, array};
use ribbonmesh_linear::axpby;

/// Stages at most.
const STAGES: usize = 200;
/// Share of the longest step of a stage: more would leave elements that are nearly flat.
const SHARE: f64 = 0.5;
/// The residual to which displacements of the rest are computed.
const LOOSE: f64 = 1e-3;
/// The gradient, beside the first one, at which a stage ends, and its most iterations.
const STAGE: NewtonOptions = NewtonOptions { tolerance: 1e-2, iterations: 20, linear: 1e-2, project: true };

/// Moves fixed unknowns to their goals; free ones are displaced by the linear system of the energy, so that
/// elements near a support are not crushed. Where elements would become flat, the way is done in stages, with
/// a rough minimum after each. Returns the number of stages.
/// # Errors
/// [`EnergyError::Stuck`] after too many stages; as [`newton`](crate::newton).
pub fn carry<O: Objective>(
    objective: &mut O,
    newton: &mut Newton,
    fixed: &Buffer<u32>,
    x: &mut Buffer<f64>,
    goals: &Buffer<f64>,
) -> Result<usize> {
    length("coordinates of goals", x.len(), goals.len())?;
    let (device, numbers) = (x.device().clone(), x.len() as u32);
    let none = device.zeros::<u32>(fixed.len())?;
    let zeros = || device.zeros::<f64>(x.len());
    let (mut way, mut b, mut d, mut next) = (zeros()?, zeros()?, zeros()?, zeros()?);
    for stage in 0..STAGES {
        // the way that is left, 0 of free unknowns
        axpby(&device, 1.0, goals, 0.0, &mut b)?;
        axpby(&device, -1.0, x, 1.0, &mut b)?;
        device.launch_each(
            numbers,
            Only { free: 0, fixed: fixed.view(), from: b.view(), to: way.view_mut() },
        )?;
        let longest = array::max(&way)?.unwrap_or(0.0).max(-array::min(&way)?.unwrap_or(0.0));
        if longest == 0.0 {
            return Ok(stage);
        }
        // the displacement of the rest for which forces do not change, in the linear system of these
        // positions
        newton.follow(objective, (fixed, &none), x, &way, (&mut b, &mut d), LOOSE)?;
        let part = (SHARE * objective.longest_step(x, &d)?).min(1.0);
        moved(x, part, &d, &mut next)?;
        if part == 1.0 {
            // exactly at the goal
            device.launch_each(
                numbers,
                Only { free: 0, fixed: fixed.view(), from: goals.view(), to: b.view_mut() },
            )?;
            device.launch_each(
                numbers,
                Only { free: 1, fixed: fixed.view(), from: next.view(), to: d.view_mut() },
            )?;
            axpby(&device, 1.0, &b, 1.0, &mut d)?;
            std::mem::swap(x, &mut d);
            return Ok(stage + 1);
        }
        std::mem::swap(x, &mut next);
        newton.minimize(objective, fixed, x, &STAGE)?;
    }
    Err(EnergyError::Stuck { stages: STAGES })
}
