//! The parts of a step of Newton's method.
use super::Clock;
use super::derived::Part;
use super::subjects::{block, moved};
use crate::timed;
use anyhow::Result;
use ribbonmesh::device::BufferView;
use ribbonmesh_energies::{
    Elements, NeoHookeanArguments, NewtonOptions, Objective, Potential, Solver, Width, newton,
};
use serde::Serialize;

/// A block of neo-Hookean tetrahedra that is held at its left side: a step from moved vertices, and the way
/// to rest.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Unknowns.
    pub unknowns: usize,
    /// Tetrahedra.
    pub elements: usize,
    /// Making lists of elements, once.
    pub lists_ms: f64,
    /// Parts of a step with their times.
    pub parts: Vec<Part>,
    /// Iterations of conjugate gradients of that step.
    pub iterations: usize,
    /// Steps to a gradient of 10⁻⁸.
    pub steps: usize,
    /// Milliseconds of all these.
    pub all_ms: f64,
}

/// Measures a block of a size.
pub fn measure(clock: Clock<'_>, size: usize) -> Result<Step> {
    let (device, (x, cells)) = (clock.device, block(size)?);
    let vertices = x.len() / 3;
    let corners = device.upload(cells.as_flattened())?;
    let lists_ms = clock.waits(|| {
        Elements::on_device(vertices, 4, corners.try_clone()?)?;
        Ok(())
    })?;
    let elements = Elements::on_device(vertices, 4, corners)?;
    let rest = elements.tetrahedra_at_rest(&device.upload(&x)?)?;
    let energy =
        NeoHookeanArguments { mu: 1.0, lambda: 2.0, materials: BufferView::empty(), rest: rest.view() };
    let held: Vec<u32> = x.chunks(3).map(|x| if x[0] == 0.0 { 7 } else { 0 }).collect();
    let mut begin = moved(&x, 3);
    for (vertex, _) in held.iter().enumerate().filter(|(_, held)| **held == 7) {
        begin[3 * vertex..3 * vertex + 3].copy_from_slice(&x[3 * vertex..3 * vertex + 3]);
    }
    let mut potential = Potential::new(&elements, energy)?;
    let fixed = potential.fixed(&device.upload(&held)?)?;
    let at = device.upload(&begin)?;
    let (mut g, mut d) = (device.zeros::<f64>(x.len())?, device.zeros::<f64>(x.len())?);
    let mut solver = Solver::new(elements.pattern().clone(), Width::Blocks, &fixed)?;
    let mut parts = vec![];
    let mut add = |name, ms| parts.push(Part { name, ms, floor_ms: 0.0 });
    add("gradient", clock.waits(|| potential.gradient(&at, &fixed, &mut g).map(drop).map_err(Into::into))?);
    add(
        "Hessian",
        clock.waits(|| potential.hessian(&at, &fixed, 0.0, true, solver.matrix_mut()).map_err(Into::into))?,
    );
    add("levels, first", timed::milliseconds(device, || solver.prepare(&at))?.0);
    add("levels, again", clock.waits(|| Ok(solver.prepare(&at)?))?);
    let mut iterations = 0;
    add(
        "solution to 10⁻²",
        clock.waits(|| {
            iterations = solver.solve(&g, &mut d, 1e-2)?.iterations;
            Ok(())
        })?,
    );
    add("longest step", clock.waits(|| potential.longest_step(&at, &d).map(drop).map_err(Into::into))?);
    add("value", clock.waits(|| potential.value(&at).map(drop).map_err(Into::into))?);
    let mut to = at.try_clone()?;
    let options = NewtonOptions::default();
    let (all_ms, report) = timed::milliseconds(device, || newton(&mut potential, &fixed, &mut to, &options))?;
    let (unknowns, steps) = (x.len(), report.iterations);
    Ok(Step { unknowns, elements: elements.len(), lists_ms, parts, iterations, steps, all_ms })
}
