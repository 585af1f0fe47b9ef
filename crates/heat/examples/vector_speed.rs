//! Times of the heat method for vectors, on the GPU if there is one: its systems, a logarithmic map, parallel
//! transport from one vertex and from two, and signed distances from the sides of a face.
//!
//!     cargo run --release --example vector_speed -- [MESH [SOLVER [CPU]]]
//!
//! The solver is `auto`, `iterative` or `direct`; a third word chooses the CPU. Without a mesh that of a
//! sphere of 81,920 faces; a number instead of a file is that of subdivisions.
use ribbonmesh::glam::DVec3;
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_heat::{HeatReport, Solver, VectorHeat, VectorOptions};
use std::error::Error;
use std::time::Instant;

/// Runs some work, which waits, and tells its wall time.
fn timed<T>(
    name: &str,
    work: impl FnOnce() -> ribbonmesh::Result<(T, Option<HeatReport>)>,
) -> ribbonmesh::Result<T> {
    let start = Instant::now();
    let (result, report) = work()?;
    let seconds = start.elapsed().as_secs_f64();
    match report {
        Some(report) => println!(
            "{name}: {seconds:.3} s, {} shells of {} vertices, {} iterations for heat, {} for distances, {}",
            report.shells,
            report.shell_vertices,
            report.heat_iterations,
            report.iterations,
            if report.converged { "converged" } else { "not converged" }
        ),
        None => println!("{name}: {seconds:.3} s"),
    }
    Ok(result)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mesh = match arguments.next() {
        Some(text) => match text.parse() {
            Ok(subdivisions) => shapes::bumpy_sphere(subdivisions, 1)?,
            Err(_) => ribbonmesh_io::read(text)?.mesh,
        },
        None => shapes::bumpy_sphere(6, 1)?,
    };
    let solver = arguments.next().map_or(Ok(Solver::Auto), |text| text.parse())?;
    let device = if arguments.next().is_some() { Device::cpu() } else { Device::auto() };
    let surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
    println!("{}: {} faces", device.name(), mesh.faces.len());
    let options = VectorOptions { solver, ..VectorOptions::default() };
    // the second time kernels are compiled
    for _ in 0..2 {
        let mut method = timed("systems", || Ok((VectorHeat::new(&surface, &options)?, None)))?;
        println!("{:?}", method.chosen());
        timed("logarithmic map", || {
            let found = method.logarithmic_map(0)?;
            device.synchronize()?;
            Ok((found.distances, Some(found.report)))
        })?;
        let last = mesh.positions.len() as u32 - 1;
        for sources in [&[(0, DVec3::X)][..], &[(0, DVec3::X), (last, 2.0 * DVec3::Y)]] {
            timed(&format!("transport from {}", sources.len()), || {
                let (found, report) = method.transport(sources)?;
                device.synchronize()?;
                Ok((found, Some(report)))
            })?;
        }
        let curve = mesh.faces[0];
        timed("signed distances", || {
            let found = method.signed_distances(&curve)?;
            device.synchronize()?;
            Ok((found.distances, Some(found.report)))
        })?;
    }
    Ok(())
}
