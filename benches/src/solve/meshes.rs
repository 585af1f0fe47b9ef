//! Work with a Laplacian, on meshes: whole jobs from triangles on the device.
use super::Clock;
use anyhow::Result;
use ribbonmesh::{FlatTopology, MeshOptions, Surface};
use ribbonmesh_fields::smooth::{
    Preconditioner, SmoothOptions, SmoothReport, Solver, TimeStep, Weights, smooth, smooth_triangles,
};
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
    /// A step of smoothing, without patches.
    Smooth(Weights, Solver, Preconditioner),
    /// A step of smoothing as it is by default.
    SmoothByDefault,
    /// Distances by the heat method.
    Distances,
    /// The lowest eigenpairs.
    Spectrum,
}
/// Computations on a mesh of so many faces: on large ones no factorization, and no spectrum.
pub fn jobs(faces: usize) -> Vec<Task> {
    let both = [Weights::Cotangent, Weights::Intrinsic];
    let jacobi = Preconditioner::Jacobi;
    let mut jobs: Vec<Task> = both.map(|weights| Task::Smooth(weights, Solver::Assembled, jacobi)).into();
    jobs.push(Task::Smooth(Weights::Cotangent, Solver::Assembled, Preconditioner::Schwarz));
    jobs.push(Task::SmoothByDefault);
    jobs.push(Task::Distances);
    if faces <= LARGE {
        jobs.push(Task::Spectrum);
        jobs.extend(both.map(|weights| Task::Smooth(weights, Solver::Direct, jacobi)));
    }
    jobs
}

/// Measures a task on a mesh.
pub fn measure(clock: Clock<'_>, name: &str, mesh: &TriangleMesh, task: Task) -> Result<Job> {
    let (job, [prepare_ms, solve_ms], iterations) = match task {
        Task::Smooth(weights, solver, preconditioner) => {
            step_of_smoothing(clock, mesh, SmoothOptions { weights, solver, preconditioner, ..to_the_end() })?
        }
        Task::SmoothByDefault => {
            let patched = || -> Result<Surface> {
                let mut surface = Surface::new(clock.device, mesh, &MeshOptions::default())?;
                surface.patches()?;
                Ok(surface)
            };
            let (prepare_ms, _) = clock.median(patched)?;
            let mut given: Vec<_> = (0..clock.times()).map(|_| patched()).collect::<Result<_>>()?;
            let (solve_ms, report) = clock.median(|| {
                let mut surface = given.pop().expect("one for each run");
                Ok(smooth(&mut surface, &to_the_end())?)
            })?;
            (
                "a step of smoothing by default".to_owned() + &with(&report),
                [prepare_ms, solve_ms],
                report.iterations(),
            )
        }
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
/// Options of a step to [`TOLERANCE`].
fn to_the_end() -> SmoothOptions {
    SmoothOptions {
        time_step: TimeStep::Edges(1.0),
        tolerance: TOLERANCE,
        max_iterations: 20_000,
        ..SmoothOptions::default()
    }
}
/// Solver and preconditioner that were used, in words.
fn with(report: &SmoothReport) -> String {
    match report.preconditioner {
        "none" => format!(", {}", report.solver),
        preconditioner => format!(", {}, {preconditioner}", report.solver),
    }
}
fn step_of_smoothing(
    clock: Clock<'_>,
    mesh: &TriangleMesh,
    options: SmoothOptions,
) -> Result<(String, [f64; 2], usize)> {
    let (device, points) = (clock.device, mesh.points());
    let (prepare_ms, topology) =
        clock.median(|| Ok(FlatTopology::new(device, points.len(), &mesh.faces)?))?;
    let (at, mean) = (device.upload(&points)?, mean_length(mesh));
    let (solve_ms, report) = clock.median(|| {
        let mut moved = at.try_clone()?;
        Ok(smooth_triangles(&topology, &mut moved, mean, &options)?)
    })?;
    let job = format!("a step of smoothing, {}{}", options.weights, with(&report));
    Ok((job, [prepare_ms, solve_ms], report.iterations()))
}

/// The mean length of the sides of faces.
fn mean_length(mesh: &TriangleMesh) -> f64 {
    let side = |a: u32, b: u32| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
    let sum: f64 = mesh.faces.iter().map(|&[a, b, c]| side(a, b) + side(b, c) + side(c, a)).sum();
    sum / (3 * mesh.faces.len()) as f64
}
