//! Catmull-Clark subdivision of a Kuhn grid, level by level: sizes, bytes, times.
//!
//! ```sh
//! cargo run --release -p ribbonmesh-volume --example levels -- [CUBES] [LEVELS]
//! ```
//! CUBES: along a side, 8 by default (3,072 tetrahedra). LEVELS: 3 by default.
use ribbonmesh::Device;
use ribbonmesh_volume::{VolumeMesh, VolumeOptions, shapes};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, or: u32| arguments.get(i).map_or(Ok(or), |text| text.parse());
    let (cubes, levels) = (number(0, 8)?, number(1, 3)?);
    let device = Device::auto();
    println!("{}", device.name());
    let (x, cells) = shapes::kuhn_grid([cubes; 3])?;
    let mut mesh = VolumeMesh::new(&device, &x, &cells, &VolumeOptions::default())?;
    for level in 0..=levels {
        let sizes = [mesh.vertices(), mesh.edges(), mesh.faces(), mesh.cells()];
        println!("level {level}: {sizes:?} vertices, edges, faces, cells; {} bytes", mesh.bytes());
        if level < levels {
            device.synchronize()?;
            let start = Instant::now();
            let next = mesh.subdivide()?;
            device.synchronize()?;
            let seconds = start.elapsed().as_secs_f64();
            println!("  {seconds:.3} s, with relations of {} bytes", mesh.relation_bytes());
            mesh = next;
        }
    }
    // the operators of the last level are those of a mesh
    mesh.validate()?;
    Ok(())
}
