//! Times of filling the holes around every 500th vertex of a bumpy sphere, on its device.
//!
//! `cargo run --release -p ribbonmesh-solid --example fill_device -- [SUBDIVISIONS]`
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_solid::fill::{FillOptions, Method, fill_surface};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fineness = std::env::args().nth(1).map_or(Ok(8), |text| text.parse())?;
    let device = Device::auto();
    let mut mesh = shapes::bumpy_sphere(fineness, 1)?;
    mesh.faces.retain(|face| face.iter().all(|v| v % 500 != 0));
    let whole = Surface::new(&device, &mesh, &MeshOptions::default())?;
    println!("{}: {} faces", device.name(), mesh.faces.len());
    for method in Method::ALL {
        let options = FillOptions { method, ..FillOptions::default() };
        let (mut seconds, mut filled) = (f64::INFINITY, 0);
        for _ in 0..10 {
            let mut surface = whole.try_clone()?;
            device.synchronize()?;
            let start = Instant::now();
            filled = fill_surface(&mut surface, &options)?.filled;
            device.synchronize()?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        println!("{method}: {filled} holes, {:.3} ms", 1e3 * seconds);
    }
    Ok(())
}
