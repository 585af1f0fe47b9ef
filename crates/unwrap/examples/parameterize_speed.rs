//! Times of maps of a disk, or of a mesh that is cut to one, to the plane: seconds of all processors of this
//! process, least of several.
//!
//!     cargo run --release --example parameterize_speed -- MESH [METHOD [REPETITIONS]]
use ribbonmesh::Device;
use ribbonmesh_unwrap::{Method, ParameterizeOptions, parameterize};
use std::error::Error;

/// Seconds that all threads of this process have worked, where Linux tells.
fn processor() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    let of = |thread: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    1e-9 * threads.filter_map(of).sum::<f64>()
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("a mesh is needed")?;
    let mesh = ribbonmesh_io::read(file)?.mesh;
    let device = Device::cpu();
    let only = std::env::args().nth(2);
    let repetitions = std::env::args().nth(3).map_or(Ok(7), |text| text.parse())?;
    let all =
        [Method::Isometric, Method::Tutte, Method::Lscm, Method::Spectral, Method::Bff, Method::BffDisk];
    let methods = all.into_iter().filter(|m| only.as_ref().is_none_or(|name| m.to_string() == *name));
    for method in methods {
        let options = ParameterizeOptions { method, cut: true, ..ParameterizeOptions::default() };
        let mut least = f64::INFINITY;
        let mut last = None;
        for _ in 0..repetitions {
            let mut own = mesh.clone();
            let before = processor();
            let report = parameterize(&device, &mut own, &options)?;
            least = least.min(processor() - before);
            last = Some(report);
        }
        println!("{method}: {least:.4}\n{last:?}");
    }
    Ok(())
}
