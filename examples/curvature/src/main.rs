//! `curvature MESH [OUT]`: prints the curvature of a mesh; with OUT, writes the mesh without its spikes.
use curvature::Surface;
use ribbonmesh::Device;
use ribbonmesh_io::{WriteOptions, read, write};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A vertex is a spike where its angles add up to less than half a turn.
const THRESHOLD: f32 = std::f32::consts::PI;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let result = match &arguments[..] {
        [mesh] => run(mesh, None),
        [mesh, out] => run(mesh, Some(out)),
        _ => {
            eprintln!("usage: curvature MESH [OUT]");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &Path, out: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut mesh = read(path)?.mesh;
    let device = Device::auto();
    let origin = mesh.local_origin();
    let positions = mesh.points_around(origin);
    let surface = Surface::new(&device, &positions, &mesh.faces)?;
    let curvature = surface.curvature()?;
    println!("machine: {}", device.name());
    println!("vertices: {}", curvature.defects.len());
    println!("total curvature: {:.4} π", curvature.total / std::f64::consts::PI);
    println!("vertices of negative curvature: {}", curvature.saddles);
    if let Some(out) = out {
        let time = surface.time_despike(THRESHOLD, 20)?;
        println!("filter: {:.3} ms", 1e3 * time.median);
        mesh.move_points_around(origin, &surface.despiked(THRESHOLD)?)?;
        write(out, &mesh, &WriteOptions::default())?;
    }
    Ok(())
}
