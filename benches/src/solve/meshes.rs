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

/// Measures a mesh.
pub fn measure(clock: Clock<'_>, name: &str, mesh: &TriangleMesh) -> Result<Vec<Job>> {
    let (device, points) = (clock.device, mesh.points());
    let faces = mesh.faces.len();
    let of = |job: String, prepare_ms, solve_ms, iterations| {
        let mesh = name.to_owned();
        Job { job, mesh, faces, prepare_ms, solve_ms, iterations }
    };
    let mut jobs = vec![];
    let (prepare_ms, topology) =
        clock.median(|| Ok(FlatTopology::new(device, points.len(), &mesh.faces)?))?;
    let at = device.upload(&points)?;
    let mean = mean_length(mesh);
    for (weights, solver) in [
        (Weights::Cotangent, Solver::Assembled),
        (Weights::Intrinsic, Solver::Assembled),
        (Weights::Cotangent, Solver::Direct),
        (Weights::Intrinsic, Solver::Direct),
    ] {
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
        let job = format!("a step of smoothing, {weights}, {solver}");
        jobs.push(of(job, prepare_ms, solve_ms, iterations));
    }
    let surface = Surface::new(device, mesh, &MeshOptions::default())?;
    let options = HeatOptions::default();
    let (prepare_ms, mut heat) = clock.median(|| Ok(HeatMethod::new(&surface, &options)?))?;
    let (solve_ms, report) = clock.median(|| Ok(heat.distances(&[0])?.1))?;
    let iterations = report.heat_iterations + report.iterations;
    jobs.push(of("distances by the heat method".to_owned(), prepare_ms, solve_ms, iterations));
    let options = SpectrumOptions { count: PAIRS, ..SpectrumOptions::default() };
    let (solve_ms, iterations) = clock.median(|| Ok(spectrum(&surface, &options)?.report().iterations))?;
    jobs.push(of(format!("{PAIRS} eigenpairs"), 0.0, solve_ms, iterations));
    Ok(jobs)
}

/// The mean length of the sides of faces.
fn mean_length(mesh: &TriangleMesh) -> f64 {
    let side = |a: u32, b: u32| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
    let sum: f64 = mesh.faces.iter().map(|&[a, b, c]| side(a, b) + side(b, c) + side(c, a)).sum();
    sum / (3 * mesh.faces.len()) as f64
}
