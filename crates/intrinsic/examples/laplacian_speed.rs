//! Times of a Laplacian and of its parts, on the GPU if there is one.
//!
//!     cargo run --release --example laplacian_speed -- [SUBDIVISIONS [NOISE]]
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Buffer, Device, MeshOptions, Surface};
use ribbonmesh_intrinsic::{Laplacian, LaplacianOptions, Mass, Triangulation, laplacian};
use std::error::Error;
use std::time::Instant;

fn milliseconds<T>(device: &Device, work: impl FnOnce() -> T) -> Result<(T, f64), Box<dyn Error>> {
    device.synchronize()?;
    let start = Instant::now();
    let result = work();
    device.synchronize()?;
    Ok((result, start.elapsed().as_secs_f64() * 1e3))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let level = arguments.next().map_or(Ok(7), |text| text.parse())?;
    let noise: f64 = arguments.next().map_or(Ok(0.3), |text| text.parse())?;
    let device = Device::auto();
    let mut closed = shapes::bumpy_sphere(level, 1)?;
    shapes::add_noise(&mut closed, noise, 5);
    let mut open = closed.clone();
    open.faces.truncate(closed.faces.len() / 10 * 9);
    let peak = device.copy_bandwidth(1 << 28)?;
    println!("{}, copies {:.2} TB/s", device.name(), peak / 1e12);
    for mesh in [&closed, &open] {
        let surface = Surface::new(&device, mesh, &MeshOptions::default())?;
        let options = LaplacianOptions::default();
        let whole = || laplacian(&surface, &options);
        let report = *whole()?.report();
        for round in 0..3 {
            let (_, all) = milliseconds(&device, whole)?;
            let positions: Buffer<_> = surface.exact_positions()?;
            let faces = device.upload(mesh.faces.as_flattened())?;
            let (made, glue) =
                milliseconds(&device, || Triangulation::new(&positions, faces, options.mollify))?;
            let mut made = made?;
            let (_, flips_ms) = milliseconds(&device, || made.flip_to_delaunay(options.rounds))?;
            let (_, rows) = milliseconds(&device, || Laplacian::of(&made, Mass::Lumped))?;
            let (faces, cover, flips, rounds) = (mesh.faces.len(), report.cover, report.flips, report.rounds);
            println!("round {round}: {faces} faces, {cover:?}, {flips} flips in {rounds} rounds");
            println!("    {all:.2} ms = glue {glue:.2} + flip {flips_ms:.2} + rows {rows:.2}");
        }
    }
    Ok(())
}
