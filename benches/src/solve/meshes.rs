//! Work with a Laplacian, on meshes: whole jobs from triangles on the device.
use super::Clock;
use anyhow::Result;
use ribbonmesh::{FlatTopology, MeshOptions, Surface};
use ribbonmesh_fields::smooth::{SmoothOptions, Solver, TimeStep, Weights, smooth_triangles};
use ribbonmesh_heat::{HeatMethod, HeatOptions};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_spectra::{SpectrumOptions, spectrum};
use serde::Serialize;

/// The length of the residual, as a part of the first one, at which a step of smoothing ends.
const TOLERANCE: f64 = 1e-6;
/// Faces above which a mesh is large.
const LARGE: usize = 2_000_000;
/// Eigenpairs of a spectrum.
const PAIRS: usize = 30;

/// A job on a mesh. Times are in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub struct Job {
    /// The job.
    pub job: String,
    /// The mesh.
    pub mesh: String,
    /// Its faces.
    pub faces: usize,
    /// Making all that serves several solutions on a mesh; 0 where it cannot be separated.
    pub prepare_ms: f64,
    /// The job itself.
    pub solve_ms: f64,
    /// Iterations; 0 for a factorization.
    pub iterations: usize,
}

/// A computation on a mesh.
#[derive(Clone, Copy)]
pub enum Task {
    /// A step of smoothing.
    Smooth(Weights, Solver),
    /// Distances by the heat method.
    Distances,
    /// The lowest eigenpairs.
    Spectrum,
}
/// Computations on a mesh of so many faces: on large ones no factorization, and no spectrum.
pub fn jobs(faces: usize) -> Vec<Task> {
    let both = [Weights::Cotangent, Weights::Intrinsic];
    let mut jobs: Vec<Task> = both.map(|weights| Task::Smooth(weights, Solver::Assembled)).into();
    jobs.push(Task::Distances);
    if faces <= LARGE {
        jobs.push(Task::Spectrum);
        jobs.extend(both.map(|weights| Task::Smooth(weights, Solver::Direct)));
    }
    jobs
}

/// Measures a task on a mesh.
pub fn measure(clock: Clock<'_>, name: &str, mesh: &TriangleMesh, task: Task) -> Result<Job> {
    let (job, [prepare_ms, solve_ms], iterations) = match task {
        Task::Smooth(weights, solver) => step_of_smoothing(clock, mesh, weights, solver)?,
        Task::Distances => {
            let surface = Surface::new(clock.device, mesh, &MeshOptions::default())?;
            let options = HeatOptions::default();
            let (prepare_ms, mut heat) = clock.median(|| Ok(HeatMethod::new(&surface, &options)?))?;
            let (solve_ms, report) = clock.median(|| Ok(heat.distances(&[0])?.1))?;
            let iterations = report.heat_iterations + report.iterations;
            ("distances by the heat method".to_owned(), [prepare_ms, solve_ms], iterations)
        }
        Task::Spectrum => {
            let surface = Surface::new(clock.device, mesh, &MeshOptions::default())?;
            let options = SpectrumOptions { count: PAIRS, ..SpectrumOptions::default() };
            let (solve_ms, iterations) =
                clock.median(|| Ok(spectrum(&surface, &options)?.report().iterations))?;
            (format!("{PAIRS} eigenpairs"), [0.0, solve_ms], iterations)
        }
    };
    Ok(Job { job, mesh: name.to_owned(), faces: mesh.faces.len(), prepare_ms, solve_ms, iterations })
}
fn step_of_smoothing(
    clock: Clock<'_>,
    mesh: &TriangleMesh,
    weights: Weights,
    solver: Solver,
) -> Result<(String, [f64; 2], usize)> {
    let (device, points) = (clock.device, mesh.points());
    let (prepare_ms, topology) =
        clock.median(|| Ok(FlatTopology::new(device, points.len(), &mesh.faces)?))?;
    let (at, mean) = (device.upload(&points)?, mean_length(mesh));
    let options = SmoothOptions {
        weights,
        solver,
        time_step: TimeStep::Edges(1.0),
        tolerance: TOLERANCE,
        max_iterations: 20_000,
        ..SmoothOptions::default()
    };
    let (solve_ms, report) = clock.median(|| {
        let mut moved = at.try_clone()?;
        Ok(smooth_triangles(&topology, &mut moved, mean, &options)?)
    })?;
    let iterations = report.steps.first().map_or(0, |step| step.iterations);
    Ok((format!("a step of smoothing, {weights}, {solver}"), [prepare_ms, solve_ms], iterations))
}

/// The mean length of the sides of faces.
fn mean_length(mesh: &TriangleMesh) -> f64 {
    let side = |a: u32, b: u32| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
    let sum: f64 = mesh.faces.iter().map(|&[a, b, c]| side(a, b) + side(b, c) + side(c, a)).sum();
    sum / (3 * mesh.faces.len()) as f64
}
