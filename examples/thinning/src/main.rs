//! `thinning MESH OUT [DEGREES]`: writes the mesh without the vertices around which it is flat.
use ribbonmesh::Device;
use ribbonmesh_io::{TriangleMesh, WriteOptions, read, write};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use thinning::operator::HIDDEN;
use thinning::thin;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let degrees = arguments.get(2).map_or(Some(1.0), |a| a.to_str()?.parse().ok().filter(|d| *d >= 0.0));
    let ([mesh, out] | [mesh, out, _], Some(degrees)) = (&arguments[..], degrees) else {
        eprintln!("usage: thinning MESH OUT [DEGREES]");
        return ExitCode::from(2);
    };
    match run(Path::new(mesh), Path::new(out), degrees) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &Path, out: &Path, degrees: f32) -> Result<(), Box<dyn Error>> {
    let mesh = read(path)?.mesh;
    let device = Device::auto();
    let origin = mesh.local_origin();
    let positions = mesh.points_around(origin);
    // the number of input faces that each one represents
    let thinned = thin(&device, &positions, &mesh.faces, &vec![1.0; mesh.faces.len()], degrees)?;
    println!("machine: {}", device.name());
    println!("faces: {} of {}", thinned.faces.len(), mesh.faces.len());
    println!("vertices removed: {} in {} passes", thinned.report.executed, thinned.report.passes);
    println!("vertices without a fan: {}", thinned.report.blocked_by(HIDDEN));
    println!("largest face stands for: {:.1}", thinned.amounts.iter().copied().fold(0.0, f32::max));
    let thin = TriangleMesh::from_points_around(origin, &thinned.positions, thinned.faces, mesh.precision);
    write(out, &thin, &WriteOptions::default())?;
    Ok(())
}
