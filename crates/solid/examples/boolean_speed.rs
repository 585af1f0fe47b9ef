//! Times of Booleans of a mesh and itself, moved by a part of its size, both on the device.
//!
//! `cargo run --release -p ribbonmesh-solid --example boolean_speed -- DEVICE RUNS MESH PART…`
use glam::DVec3;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_solid::boolean::{BooleanOptions, Operation, boolean_surface};
use std::time::Instant;

/// The mesh, moved by a part of its size.
fn moved(mesh: &TriangleMesh, part: f64) -> TriangleMesh {
    let mut moved = mesh.clone();
    let size = mesh.bounding_box().map_or(DVec3::ZERO, |bounds| bounds.size());
    let away = part * size.max_element() * DVec3::new(0.11, 0.07, 0.05);
    moved.positions.iter_mut().for_each(|p| *p = (*p + away).as_vec3().as_dvec3());
    moved
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let device = match arguments.next().as_deref() {
        Some("cuda") => Device::cuda(0)?,
        _ => Device::cpu(),
    };
    let runs: usize = arguments.next().ok_or("a number of runs")?.parse()?;
    let mesh = ribbonmesh_io::read(&arguments.next().ok_or("a mesh")?)?.mesh;
    for part in arguments {
        let other = moved(&mesh, part.parse()?);
        println!("moved by {part}: {} faces twice", mesh.faces.len());
        for operation in [Operation::Union, Operation::Difference] {
            let options = BooleanOptions { operation, ..BooleanOptions::default() };
            let mut seconds = vec![];
            for run in 0..runs {
                let surface = |mesh| Surface::new(&device, mesh, &MeshOptions::default());
                let (mut first, second) = (surface(&mesh)?, surface(&other)?);
                device.synchronize()?;
                let start = Instant::now();
                let report = boolean_surface(&mut first, vec![second], &options)?;
                device.synchronize()?;
                seconds.push(start.elapsed().as_secs_f64());
                if run == 0 {
                    let faces = first.triangles().faces().len() / 3;
                    println!("{operation:?}: {faces} faces left; {report:?}");
                }
            }
            seconds.sort_by(f64::total_cmp);
            println!("{operation:?}: best {:.4} s, median {:.4} s", seconds[0], seconds[runs / 2]);
        }
    }
    Ok(())
}
