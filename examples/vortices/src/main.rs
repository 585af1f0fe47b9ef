//! `vortices DIR [STEPS]`: two rings of vortices that pass through each other again and again, in a drop that
//! they take along.
use ribbonmesh::mesh::shapes;
use ribbonmesh::prelude::*;
use ribbonmesh_io::{WriteOptions, write};
use ribbonmesh_track::{Method, TrackOptions, Tracker};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use vortices::Vortices;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let steps = arguments.get(1).map_or(Some(100), |a| a.to_str()?.parse().ok());
    let ([folder] | [folder, _], Some(steps)) = (&arguments[..], steps) else {
        eprintln!("usage: vortices DIR [STEPS]");
        return ExitCode::from(2);
    };
    match run(Path::new(folder), steps) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path, steps: u32) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let device = Device::auto();
    let mut rings = Vortices::rings(&device, &[-0.3, 0.3], 100)?;
    let drop = shapes::icosphere(4)?;
    let options = TrackOptions { method: Method::GridFree, ..TrackOptions::default() };
    let mut tracker = Tracker::new(&device, &drop, &options)?;
    for step in 1..=steps {
        tracker.step(0.05, &mut rings)?;
        if step % 10 == 0 || step == steps {
            let mesh = tracker.download()?;
            write(folder.join(format!("{step:04}.ply")), &mesh, &WriteOptions::default())?;
            println!("step {step}: {} faces, components {:?}", mesh.faces.len(), tracker.components());
        }
    }
    Ok(())
}
