//! Times the deformation of a mesh on a CPU, beside other programs.
//!
//! ```text
//! cargo run --release -p ribbonmesh-energies --example deform_speed -- MESH HANDLES [TOLERANCE] [OUT]
//! ```
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_application::OptionValue;
use ribbonmesh_energies::{DeformOptions, Handles, deform};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mesh, handles, rest @ ..] = &arguments[..] else {
        return Err("a mesh and handles are needed".into());
    };
    let (device, mesh) = (Device::auto(), ribbonmesh_io::read(mesh)?.mesh);
    let handles = Handles::parse(handles)?;
    let mut options = DeformOptions { handles, ..DeformOptions::default() };
    if let Some(tolerance) = rest.first() {
        options.tolerance = tolerance.parse()?;
    }
    let mut surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
    device.synchronize()?;
    let started = Instant::now();
    let report = deform(&mut surface, &options)?;
    device.synchronize()?;
    println!("{:.3} s on {}, {:?}", started.elapsed().as_secs_f64(), device.name(), report.minimum.ended);
    let (minimum, first) = (&report.minimum, report.minimum.gradients[0]);
    println!("{} iterations, {} linear", minimum.iterations, minimum.linear_iterations);
    for (k, (energy, gradient)) in minimum.energies.iter().zip(&minimum.gradients).enumerate() {
        println!("{k:4} {energy:.9e} {:.2e}", gradient / first);
    }
    if let Some(out) = rest.get(1) {
        ribbonmesh_io::write(out, &surface.download()?, &ribbonmesh_io::WriteOptions::default())?;
    }
    Ok(())
}
