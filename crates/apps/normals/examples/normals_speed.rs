//! Times of vertex normals on a sphere of 20 · 4ᵏ faces, compared with the time to move their bytes.
//!
//! `cargo run --release -p ribbonmesh-normals --example normals_speed -- [k = 9] [patch size]`
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex, glam::Vec3};
use ribbonmesh_normals::{
    Ring, Weight, floor_bytes, normals_into, normals_with_ring, normals_with_ring_into,
};
use std::cell::RefCell;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let k = arguments.next().map_or(Ok(9), |a| a.parse())?;
    let default = MeshOptions::default().patch_size;
    let patch_size = arguments.next().map_or(Ok(default), |a| a.parse())?;
    let mut shape = ribbonmesh_mesh::shapes::icosphere(k)?;
    ribbonmesh_mesh::shapes::shuffle(&mut shape, 1);
    let device = Device::auto();
    let options = MeshOptions { patch_size, ..MeshOptions::default() };
    let mesh = StaticMesh::new(&device, shape.positions.len(), &shape.faces, &options)?;
    let x: Vec<Vec3> = shape.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(&mesh, &x)?;
    let start = std::time::Instant::now();
    let ring = Ring::new(&mesh)?;
    device.synchronize()?;
    let seconds = start.elapsed().as_secs_f64();
    let bandwidth = device.copy_bandwidth(256 << 20)?;
    println!("{}, {} faces, patches of {patch_size}", device.name(), mesh.faces());
    println!("ring: {:.2} bytes per face, made in {seconds:.3} s", ring.bytes() as f64 / mesh.faces() as f64);
    println!("{:<22} {:>9} {:>9} {:>9}", "microseconds", "mean", "min", "floor");
    let normals = RefCell::new(normals_with_ring(&mesh, &ring, &positions, Weight::Max)?);
    for weight in Weight::ALL {
        for ring in [None, Some(&ring)] {
            let timing = device.time_repeated(50, || {
                let normals = &mut *normals.borrow_mut();
                match ring {
                    Some(ring) => normals_with_ring_into(&mesh, ring, &positions, weight, normals),
                    None => normals_into(&mesh, &positions, weight, normals),
                }
            })?;
            let name = format!("{weight}{}", if ring.is_some() { ", stored ring" } else { "" });
            let floor = floor_bytes(&mesh, ring) as f64 / bandwidth;
            println!("{name:<22} {:>9.1} {:>9.1} {:>9.1}", 1e6 * timing.mean, 1e6 * timing.min, 1e6 * floor);
        }
    }
    Ok(())
}
