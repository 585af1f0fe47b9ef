//! Motion of a body of neo-Hookean tetrahedra.
use super::body::Body;
use super::error::{ElasticityError, Result};
use super::large::{STEPS, Solid, vectors};
use super::materials::Materials;
use super::problem::Problem;
use super::solution::{put, vectors as named};
use super::solve::nodes;
use crate::Space;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_energies::{Motion, NewtonOptions, Objective, masses_of_tetrahedra};
use ribbonmesh_linear::{axpby, dot};
use ribbonmesh_volume::{SimplexMesh, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::VolumeData;

/// Options of [`simulate`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionOptions {
    /// The length of a step of time, above 0.
    pub time_step: f64,
    /// The number of steps.
    pub steps: u64,
    /// The velocity of all vertices at the beginning; fixed directions have none.
    pub velocity: DVec3,
    /// A step ends when forces and inertia are this part of those at its beginning, between 0 and 1.
    pub tolerance: f64,
    /// Most iterations of Newton's method in a step.
    pub max_iterations: usize,
}
impl Default for MotionOptions {
    fn default() -> Self {
        Self { time_step: 0.01, steps: 100, velocity: DVec3::ZERO, tolerance: 1e-6, max_iterations: 100 }
    }
}
/// A body after a step.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Steps that are done; 0 at the beginning.
    pub step: u64,
    /// The time.
    pub time: f64,
    /// Iterations of Newton's method in the step.
    pub newton_steps: usize,
    /// Iterations of conjugate gradients in these.
    pub iterations: usize,
    /// Whether the step is within the tolerance, or rounding hides any further decrease.
    pub converged: bool,
    /// The energy of motion.
    pub kinetic_energy: f64,
    /// The energy of the strain.
    pub strain_energy: f64,
    /// Loads times displacements, gravity included. What supports do that move is not counted.
    pub work: f64,
    /// The displacement of each vertex.
    pub displacement: Vec<DVec3>,
    /// The velocity of each vertex.
    pub velocity: Vec<DVec3>,
}

impl Moment {
    /// Stores `displacement` and `velocity` of vertices in a volume. Data with such names is replaced.
    pub fn store(&self, volume: &mut VolumeData) {
        put(&mut volume.point_data, named("displacement", &self.displacement));
        put(&mut volume.point_data, named("velocity", &self.velocity));
    }
}

/// Has a body move from rest: neo-Hookean tetrahedra, a quarter of whose mass is at each vertex; steps of
/// implicit Euler, which are stable and damp what is faster than a step. Supports hold, and those with a
/// displacement move there evenly from the first step to the last; a body needs none. Loads act from the
/// beginning, and keep their forces and directions. `each` is told the beginning and every step, and may end
/// the motion with an error.
/// # Errors
/// Those of [`solve`](crate::elasticity::solve) but that of bodies which are not held;
/// [`ElasticityError::Value`] for options; errors of `each`.
pub fn simulate<E: From<ElasticityError>>(
    device: &Device,
    volume: &VolumeData,
    problem: &Problem,
    options: &MotionOptions,
    mut each: impl FnMut(Moment) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    check(problem, options)?;
    let body = shape(volume)?;
    let Body::Tetrahedra(cells) = &body else {
        return Err(ElasticityError::Large { what: "hexahedra" }.into());
    };
    let (solid, masses, v) = begin(device, volume, problem, options, (&body, cells))?;
    let run = Run { solid: &solid, steps: options.steps, time_step: options.time_step };
    let potential = solid.potential().map_err(E::from)?;
    let still = solid.still.try_clone().map_err(ElasticityError::from)?;
    let mut motion = Motion::new(potential, &masses, &solid.fixed, still, v, options.time_step)
        .map_err(ElasticityError::from)?;
    let search = NewtonOptions {
        tolerance: options.tolerance,
        iterations: options.max_iterations.min(STEPS),
        ..NewtonOptions::default()
    };
    each(run.moment(&mut motion, 0, None)?)?;
    for step in 1..=options.steps {
        let goals = run.goals(step)?;
        let report = motion.advance(goals.as_ref(), &search).map_err(ElasticityError::from)?;
        each(run.moment(&mut motion, step, Some(&report))?)?;
    }
    Ok(())
}

fn check(problem: &Problem, options: &MotionOptions) -> Result<()> {
    problem.check()?;
    problem.check_dense("above 0 for a body that moves")?;
    let wrong = |what, value, expected| Err(ElasticityError::Value { what, value, expected });
    if !(options.time_step > 0.0 && options.time_step.is_finite()) {
        return wrong("the time step", options.time_step, "above 0");
    }
    if let Some(value) = options.velocity.to_array().into_iter().find(|v| !v.is_finite()) {
        return wrong("a velocity", value, "finite");
    }
    Ok(())
}
fn shape(volume: &VolumeData) -> Result<Body> {
    volume.cells.check(volume.positions.len())?;
    Body::new(&volume.cells)
}
/// The body on the device, masses of its vertices, and their velocities.
fn begin(
    device: &Device,
    volume: &VolumeData,
    problem: &Problem,
    options: &MotionOptions,
    (body, cells): (&Body, &[[u32; 4]]),
) -> Result<(Solid, Buffer<f64>, Buffer<f64>)> {
    let points = volume.points_around(volume.local_origin());
    let mesh = VolumeMesh::new(device, &points, &body.list(), &VolumeOptions::default())?;
    let simplices = SimplexMesh::tetrahedra(device, &points, cells)?;
    let space = Space::tetrahedra(&simplices, 1)?;
    let materials = Materials::new(volume, problem, body)?;
    let nodes = nodes(volume, problem, (body, true), &mesh, &space, &materials)?;
    let solid = Solid::new(device, volume, cells, &materials, &nodes)?;
    let densities = device.upload(materials.density())?;
    let masses = masses_of_tetrahedra(&solid.elements, &solid.rest, &densities)?;
    let of = |(i, word): (usize, &u32)| if word >> i & 1 == 1 { 0.0 } else { options.velocity[i] };
    let v: Vec<f64> = nodes.fixed.iter().flat_map(|word| [0, 1, 2].map(|i| of((i, word)))).collect();
    Ok((solid, masses, device.upload(&v)?))
}

/// Data that all steps share.
struct Run<'a> {
    solid: &'a Solid,
    steps: u64,
    time_step: f64,
}
impl Run<'_> {
    /// Where fixed unknowns are after a step; none if they stay.
    fn goals(&self, step: u64) -> Result<Option<Buffer<f64>>> {
        let (device, mut at) = (self.solid.still.device(), self.solid.goals.try_clone()?);
        axpby(device, -1.0, &self.solid.still, 1.0, &mut at)?;
        if dot(device, &at, &at)? == 0.0 {
            return Ok(None);
        }
        let part = step as f64 / self.steps as f64;
        axpby(device, 1.0, &self.solid.still, part, &mut at)?;
        Ok(Some(at))
    }
    fn moment<O: Objective>(
        &self,
        motion: &mut Motion<'_, O>,
        step: u64,
        report: Option<&ribbonmesh_energies::MinimumReport>,
    ) -> Result<Moment> {
        let displacement = self.solid.displacements(motion.positions())?;
        let device = self.solid.still.device();
        let work = dot(device, &self.solid.loads, &device.upload(&displacement)?)?;
        Ok(Moment {
            step,
            time: step as f64 * self.time_step,
            newton_steps: report.map_or(0, |report| report.iterations),
            iterations: report.map_or(0, |report| report.linear_iterations),
            converged: report.is_none_or(|report| report.converged),
            kinetic_energy: motion.kinetic_energy()?,
            strain_energy: self.solid.strain()?.value(motion.positions())?,
            work,
            displacement: vectors(&displacement),
            velocity: vectors(&motion.velocities().read()?),
        })
    }
}
