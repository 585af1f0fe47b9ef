//! Compares a smoothing step with a sparse Cholesky factorization of the same matrix.
//!
//! ```sh
//! cargo run --release -p ribbonmesh-fields --example smooth_speed -- [MESH | LEVEL] [TIME_STEP] [TOLERANCE]
//! ```
//! LEVEL: a sphere with bumps of 20 · 4^LEVEL faces, 7 by default (0.33 million). TIME_STEP: as on the
//! command line.
use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, FlatTopology, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_fields::smooth::{Preconditioner, SmoothOptions, Smoother, Solver, Weights, smooth_triangles};
use ribbonmesh_mesh::shapes::bumpy_sphere;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let subject = arguments.first().map_or("7", String::as_str);
    let (positions, faces) = match subject.parse() {
        Ok(level) => {
            let shape = bumpy_sphere(level, 1)?;
            (shape.points(), shape.faces)
        }
        Err(_) => {
            let mesh = ribbonmesh_io::read(subject)?.mesh;
            (mesh.points(), mesh.faces)
        }
    };
    let mut options = SmoothOptions { solver: Solver::Assembled, ..SmoothOptions::default() };
    if let Some(time_step) = arguments.get(1) {
        options.time_step = time_step.parse()?;
    }
    let device = Device::auto();
    let mesh = StaticMesh::new(&device, positions.len(), &faces, &MeshOptions::default())?;
    let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &positions)?;
    println!("{}: {} faces, time step {}", device.name(), mesh.faces(), options.time_step);
    if let Some(tolerance) = arguments.get(2) {
        options.tolerance = tolerance.parse()?;
        options.max_iterations = 20_000;
    }
    let matrix = Smoother::new(&mesh, &options)?.matrix(&x)?;
    let start = Instant::now();
    let mut masses = matrix.diagonal.clone();
    matrix.entries.iter().for_each(|&(i, _, value)| masses[i as usize] += value);
    let diagonal = matrix.diagonal.iter().enumerate().map(|(v, &d)| Triplet::new(v, v, d));
    let entries = matrix.entries.iter().map(|&(i, j, value)| Triplet::new(i as usize, j as usize, value));
    let triplets: Vec<_> = diagonal.chain(entries).collect();
    let n = positions.len();
    let a = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &triplets)?;
    let assembled = start.elapsed().as_secs_f64();
    let factor = a.sp_cholesky(Side::Lower).map_err(|e| format!("{e:?}"))?;
    let right = Mat::from_fn(n, 3, |v, c| masses[v] * f64::from(positions[v][c]));
    let expected = factor.solve(&right);
    let seconds = start.elapsed().as_secs_f64() - assembled;
    println!("faer, factor and solve: {seconds:.3} s, after {assembled:.3} s for the matrix");
    let none = SmoothOptions { steps: 0, ..SmoothOptions::default() };
    let mean = Smoother::new(&mesh, &none)?.smooth(&mut x.try_clone()?)?.mean_edge_length;
    let cotangent = Weights::Cotangent;
    let (jacobi, schwarz) = (Preconditioner::Jacobi, Preconditioner::Schwarz);
    for (weights, solver, preconditioner) in [
        (cotangent, Solver::MatrixFree, jacobi),
        (cotangent, Solver::Assembled, jacobi),
        (cotangent, Solver::Assembled, schwarz),
        (cotangent, Solver::Direct, jacobi),
        (Weights::Intrinsic, Solver::Assembled, jacobi),
        (Weights::Intrinsic, Solver::Direct, jacobi),
    ] {
        let options = SmoothOptions { weights, solver, preconditioner, ..options.clone() };
        let mut moved = x.try_clone()?;
        let on_patches = weights == cotangent && solver != Solver::Direct && preconditioner == jacobi;
        let start = Instant::now();
        let (report, moved) = if on_patches {
            (Smoother::new(&mesh, &options)?.smooth(&mut moved)?, moved.download()?)
        } else {
            let topology = FlatTopology::new(&device, positions.len(), &faces)?;
            let mut moved = device.upload(&positions)?;
            (smooth_triangles(&topology, &mut moved, mean, &options)?, moved.read()?)
        };
        let seconds = start.elapsed().as_secs_f64();
        let step = report.steps[0];
        let difference = |v: usize| {
            let d = (0..3).map(|c| (f64::from(moved[v][c]) - expected[(v, c)]).powi(2));
            d.sum::<f64>().sqrt() / report.mean_edge_length
        };
        let differences: Vec<f64> = (0..n).map(difference).collect();
        let greatest = differences.iter().copied().fold(0.0, f64::max);
        let mean = differences.iter().sum::<f64>() / n as f64;
        println!(
            "{weights}, {solver}, {preconditioner}: {seconds:.3} s, {} iterations, residual {:.1e}",
            step.iterations, step.residual
        );
        println!("  difference from Cholesky, in mean edge lengths: {greatest:.1e}, in the mean {mean:.1e}");
    }
    Ok(())
}
