//! Time and report of unwrapping the mesh of a file, on the GPU if there is one.
//!
//!     cargo run --release --example unwrap_speed -- MESH [OUT]
use ribbonmesh::Device;
use ribbonmesh_unwrap::{UnwrapOptions, unwrap};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("a mesh is needed")?;
    let device = Device::auto();
    let mut mesh = ribbonmesh_io::read(path)?.mesh;
    for _ in 0..2 {
        let start = Instant::now();
        let report = unwrap(&device, &mut mesh, &UnwrapOptions::default())?;
        println!("{:.3} s, {report:#?}", start.elapsed().as_secs_f64());
    }
    if let Some(out) = arguments.next() {
        ribbonmesh_io::write(out, &mesh, &ribbonmesh_io::WriteOptions::default())?;
    }
    Ok(())
}
