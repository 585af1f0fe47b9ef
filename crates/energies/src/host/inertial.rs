//! Motion: an energy with inertia, and steps of time.
use super::carry::carry;
use super::elements::Elements;
use super::error::{EnergyError, Result, length};
use super::newton::{Newton, NewtonOptions};
use super::objective::{Objective, moved};
use super::report::MinimumReport;
use crate::device::inertia::{AddInertia, AddMasses, InertiaOfNumbers, MassesOfVertices};
use ribbonmesh::{Buffer, array};
use ribbonmesh_linear::axpby;
use ribbonmesh_multigrid::{Blocks, Pattern};
use std::sync::Arc;

/// An objective plus m / (2 h²) |x - goal|² of each vertex, for its mass m and a step of time h: the minimum
/// is where a step of implicit Euler ends if the goal is where vertices would be without forces.
#[derive(Debug)]
pub struct Inertial<'a, O> {
    objective: O,
    masses: &'a Buffer<f64>,
    goal: Buffer<f64>,
    parts: Buffer<f64>,
    by: f64,
}
impl<'a, O: Objective> Inertial<'a, O> {
    /// Inertia for masses of vertices and a step of time.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`EnergyError::Option`] for a step that is not above 0; out of memory.
    pub fn new(objective: O, masses: &'a Buffer<f64>, step: f64) -> Result<Self> {
        length("masses of vertices", objective.pattern().rows(), masses.len())?;
        if !(step > 0.0 && step.is_finite()) {
            let (option, expected) = ("time step", "above 0");
            return Err(EnergyError::Option { option, value: step, expected });
        }
        let zeros = || masses.device().zeros::<f64>(3 * masses.len());
        Ok(Self { objective, masses, goal: zeros()?, parts: zeros()?, by: 1.0 / (step * step) })
    }
    /// The objective without inertia.
    pub fn objective(&mut self) -> &mut O {
        &mut self.objective
    }
    /// Where vertices would be without forces: three numbers for each.
    pub fn goal_mut(&mut self) -> &mut Buffer<f64> {
        &mut self.goal
    }
    /// Half of `by` times masses times squares of distances between two lists of positions. Waits.
    fn inertia(&mut self, by: f64, x: &Buffer<f64>, goal: Option<&Buffer<f64>>) -> Result<f64> {
        length("coordinates of vertices", self.goal.len(), x.len())?;
        let kernel = InertiaOfNumbers {
            by,
            masses: self.masses.view(),
            x: x.view(),
            goal: goal.unwrap_or(&self.goal).view(),
            to: self.parts.view_mut(),
        };
        x.device().launch_each(x.len() as u32, kernel)?;
        Ok(array::sum(&self.parts)?)
    }
}
impl<O: Objective> Objective for Inertial<'_, O> {
    fn fixed(&self, fixed: &Buffer<u32>) -> Result<Buffer<u32>> {
        self.objective.fixed(fixed)
    }
    fn value(&mut self, x: &Buffer<f64>) -> Result<f64> {
        Ok(self.objective.value(x)? + self.inertia(self.by, x, None)?)
    }
    fn gradient(&mut self, x: &Buffer<f64>, fixed: &Buffer<u32>, to: &mut Buffer<f64>) -> Result<f64> {
        let value = self.objective.gradient(x, fixed, to)?;
        let kernel = AddInertia {
            by: self.by,
            masses: self.masses.view(),
            fixed: fixed.view(),
            x: x.view(),
            goal: self.goal.view(),
            to: to.view_mut(),
        };
        x.device().launch_each(x.len() as u32, kernel)?;
        Ok(value + self.inertia(self.by, x, None)?)
    }
    fn pattern(&self) -> &Arc<Pattern> {
        self.objective.pattern()
    }
    fn hessian(
        &mut self,
        x: &Buffer<f64>,
        fixed: &Buffer<u32>,
        shift: f64,
        project: bool,
        to: &mut Blocks<f64>,
    ) -> Result<()> {
        length("numbers of a block's side", 3, to.shape()[0])?;
        self.objective.hessian(x, fixed, shift, project, to)?;
        let pattern = to.pattern().clone();
        let kernel = AddMasses {
            by: self.by,
            masses: self.masses.view(),
            fixed: fixed.view(),
            rows: pattern.places().view(),
            columns: pattern.indices().view(),
            to: to.numbers_mut().view_mut(),
        };
        Ok(x.device().launch_each(pattern.len() as u32, kernel)?)
    }
    fn longest_step(&mut self, x: &Buffer<f64>, d: &Buffer<f64>) -> Result<f64> {
        self.objective.longest_step(x, d)
    }
}

/// Masses of the vertices of tetrahedra, a quarter of each, of their `rest` and of densities: one for each
/// tetrahedron, or one for all.
/// # Errors
/// [`EnergyError::OtherElements`]; [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
pub fn masses_of_tetrahedra(
    elements: &Elements,
    rest: &Buffer<f64>,
    density: &Buffer<f64>,
) -> Result<Buffer<f64>> {
    elements.check_vertices(4)?;
    length("numbers at rest", 10 * elements.len(), rest.len())?;
    if density.len() != 1 {
        length("densities", elements.len(), density.len())?;
    }
    let mut to = elements.device().unspecified(elements.vertices())?;
    let kernel = MassesOfVertices {
        corners: elements.groups().view(),
        rest: rest.view(),
        density: density.view(),
        to: to.view_mut(),
    };
    elements.device().launch_each(elements.vertices() as u32, kernel)?;
    Ok(to)
}

/// A body that moves: steps of implicit Euler, each of which is a minimum of the energy with inertia (Martin
/// and others, *Example-Based Elastic Materials*, 2011). Stable for steps of any length, and loses energy,
/// the more the longer they are.
#[derive(Debug)]
pub struct Motion<'a, O> {
    inertial: Inertial<'a, O>,
    newton: Newton,
    fixed: Buffer<u32>,
    step: f64,
    x: Buffer<f64>,
    v: Buffer<f64>,
    before: Buffer<f64>,
}
impl<'a, O: Objective> Motion<'a, O> {
    /// A body with masses of vertices, at positions, with velocities, and with fixed unknowns as of
    /// [`newton`](crate::newton). A free unknown without mass has no motion of its own, and needs forces that
    /// hold it.
    /// # Errors
    /// As [`Inertial::new`].
    pub fn new(
        objective: O,
        masses: &'a Buffer<f64>,
        fixed: &Buffer<u32>,
        x: Buffer<f64>,
        v: Buffer<f64>,
        step: f64,
    ) -> Result<Self> {
        length("coordinates of vertices", 3 * masses.len(), x.len())?;
        length("numbers of velocities", x.len(), v.len())?;
        let inertial = Inertial::new(objective, masses, step)?;
        let fixed = inertial.fixed(fixed)?;
        let newton = Newton::new(&inertial, &fixed)?;
        let before = x.try_clone()?;
        Ok(Self { inertial, newton, fixed, step, x, v, before })
    }
    /// A step. With goals, fixed unknowns are at theirs afterwards.
    /// # Errors
    /// As [`newton`](crate::newton); [`EnergyError::Stuck`] if elements would turn inside out where fixed
    /// unknowns move.
    pub fn advance(&mut self, goals: Option<&Buffer<f64>>, options: &NewtonOptions) -> Result<MinimumReport> {
        self.before.copy_from(&self.x)?;
        moved(&self.x, self.step, &self.v, &mut self.inertial.goal)?;
        if let Some(goals) = goals {
            carry(&mut self.inertial, &mut self.newton, &self.fixed, &mut self.x, goals)?;
        }
        let report = self.newton.minimize(&mut self.inertial, &self.fixed, &mut self.x, options)?;
        let (device, by) = (self.x.device().clone(), 1.0 / self.step);
        axpby(&device, by, &self.x, 0.0, &mut self.v)?;
        axpby(&device, -by, &self.before, 1.0, &mut self.v)?;
        Ok(report)
    }
    /// Positions.
    pub fn positions(&self) -> &Buffer<f64> {
        &self.x
    }
    /// Velocities.
    pub fn velocities(&self) -> &Buffer<f64> {
        &self.v
    }
    /// The energy of motion. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn kinetic_energy(&mut self) -> Result<f64> {
        // half of the mass times the square of a difference of positions by a step
        let by = 1.0 / (self.step * self.step);
        let (mut still, device) = (self.x.try_clone()?, self.x.device().clone());
        axpby(&device, -self.step, &self.v, 1.0, &mut still)?;
        self.inertial.inertia(by, &self.x, Some(&still))
    }
    /// The value of the objective, without inertia. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn potential_energy(&mut self) -> Result<f64> {
        self.inertial.objective.value(&self.x)
    }
}
