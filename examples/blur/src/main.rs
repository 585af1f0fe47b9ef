//! `blur MESH OUT COLUMN [STEPS]`: writes the mesh with a number of its vertices smoothed.
use blur::{BlurOptions, blur};
use ribbonmesh::prelude::*;
use ribbonmesh_io::{WriteOptions, read, write};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let steps = arguments.get(3).map_or(Some(10), |a| a.to_str()?.parse().ok());
    let ([mesh, out, column] | [mesh, out, column, _], Some(steps)) = (&arguments[..], steps) else {
        eprintln!("usage: blur MESH OUT COLUMN [STEPS]");
        return ExitCode::from(2);
    };
    let options = BlurOptions { steps, ..BlurOptions::new(&column.to_string_lossy()) };
    match run(Path::new(mesh), Path::new(out), &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &Path, out: &Path, options: &BlurOptions) -> Result<(), Box<dyn Error>> {
    let mut surface = Surface::new(&Device::auto(), &read(path)?.mesh, &MeshOptions::default())?;
    let report = blur(&mut surface, options)?;
    println!("machine: {}", surface.device().name());
    println!("vertices: {}", report.vertices);
    if let Some([least, greatest]) = report.range {
        println!("{}: {least} to {greatest}", options.result);
    }
    write(out, &surface.download()?, &WriteOptions::default())?;
    Ok(())
}
