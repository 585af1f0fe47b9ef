//! Times of maps of a disk to the plane, in processor seconds of the thread that asks, least of seven.
//!
//!     cargo run --release --example parameterize_speed -- MESH
use ribbonmesh::Device;
use ribbonmesh_unwrap::{Method, ParameterizeOptions, parameterize};
use std::error::Error;

/// Seconds that this thread has worked, where Linux tells.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("a mesh is needed")?;
    let mesh = ribbonmesh_io::read(file)?.mesh;
    let device = Device::cpu();
    let methods = [Method::Tutte, Method::Lscm, Method::Spectral, Method::Bff, Method::BffDisk];
    for method in methods {
        let options = ParameterizeOptions { method, ..ParameterizeOptions::default() };
        let mut least = f64::INFINITY;
        for _ in 0..7 {
            let mut own = mesh.clone();
            let before = processor();
            let report = parameterize(&device, &mut own, &options)?;
            least = least.min(processor() - before);
            std::hint::black_box(report);
        }
        println!("{method}: {least:.4}");
    }
    Ok(())
}
