//! Times of the heat method, on the GPU if there is one: levels, and distances from one source.
//!
//!     cargo run --release --example heat_speed -- [MESH [SOLVER [DISTANCES.f64]]]
//!
//! The solver is `auto`, `iterative` or `direct`. Without a mesh that of a sphere of 81,920 faces; a number
//! instead of a file is that of subdivisions. The distances from vertex 0 are written as binary numbers.
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_heat::{HeatMethod, HeatOptions, Poisson, Solver};
use ribbonmesh_intrinsic::{Calculus, LaplacianOptions};
use std::error::Error;
use std::time::Instant;

/// Seconds of all threads of this process, in steps of 0.01, where Linux tells.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |i: usize| fields.get(i).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
/// The result of some work, its seconds, and those of all processors.
fn timed<T>(device: &Device, work: impl FnOnce() -> T) -> Result<(T, [f64; 2]), Box<dyn Error>> {
    device.synchronize()?;
    let (start, before) = (Instant::now(), processor());
    let result = work();
    device.synchronize()?;
    Ok((result, [start.elapsed().as_secs_f64(), processor() - before]))
}

/// Times of what both halves of a run stand on.
fn parts(device: &Device, surface: &Surface) -> Result<(), Box<dyn Error>> {
    let (calculus, [all, _]) = timed(device, || Calculus::new(surface, &LaplacianOptions::default()))?;
    let calculus = calculus?;
    let (poisson, [levels, _]) = timed(device, || Poisson::new(&calculus))?;
    let mut poisson = poisson?;
    // any function with a slope everywhere
    let heights: Vec<f64> = surface.exact_positions()?.read()?.iter().map(|x| x.x + x.y).collect();
    let heights = device.upload(&heights)?;
    let right = calculus.divergence_of_directions(&heights)?;
    let (solved, [solve, _]) = timed(device, || poisson.solve(&right, 1e-6))?;
    let iterations = solved?.1.iterations;
    println!(
        "Laplacian {all:.4} s, levels {levels:.4} s; {iterations} iterations for distances {solve:.4} s"
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mesh = match arguments.next() {
        Some(text) => match text.parse() {
            Ok(subdivisions) => shapes::bumpy_sphere(subdivisions, 1)?,
            Err(_) => ribbonmesh_io::read(text)?.mesh,
        },
        None => shapes::bumpy_sphere(6, 1)?,
    };
    let solver = arguments.next().map_or(Ok(Solver::Auto), |text| text.parse())?;
    let device = Device::auto();
    let surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
    println!("{}: {} faces", device.name(), mesh.faces.len());
    let options = HeatOptions { solver, ..HeatOptions::default() };
    for _ in 0..2 {
        parts(&device, &surface)?;
        let (method, [wall, all]) = timed(&device, || HeatMethod::new(&surface, &options))?;
        let mut method = method?;
        println!("levels {wall:.3} s, processors {all:.2} s; {:?}", method.chosen());
        let repeats = if mesh.faces.len() > 500_000 { 1 } else { 3 };
        let (report, [wall, all]) = timed(&device, || {
            (0..repeats).map(|_| Ok(method.distances(&[0])?.1)).collect::<ribbonmesh::Result<Vec<_>>>()
        })?;
        let each = [wall, all].map(|seconds| seconds / f64::from(repeats));
        println!("a source {:.3} s, processors {:.3} s; {:?}", each[0], each[1], report?[0]);
    }
    if let Some(file) = arguments.next() {
        let (distances, _) = HeatMethod::new(&surface, &options)?.distances(&[0])?;
        let bytes: Vec<u8> = distances.read()?.into_iter().flat_map(f64::to_le_bytes).collect();
        std::fs::write(file, bytes)?;
    }
    Ok(())
}
