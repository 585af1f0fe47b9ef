//! Times of wrapping a file, a sphere with bumps or random triangles.
//!
//! `cargo run --release -p ribbonmesh-solid --example wrap_speed -- (FILE | bumpy | random) RESOLUTION (cpu |
//! gpu) [RUNS]`
use glam::DVec3;
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_solid::wrap::{WrapOptions, wrap};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, resolution, machine, runs @ ..] = &arguments[..] else {
        return Err("(FILE | bumpy | random) RESOLUTION (cpu | gpu) [RUNS]".into());
    };
    let mesh = match what.as_str() {
        "bumpy" => bumpy()?,
        "random" => random(),
        file => ribbonmesh_io::read(file)?.mesh,
    };
    let device = if machine == "cpu" { Device::cpu() } else { Device::cuda(0)? };
    let options = WrapOptions { resolution: resolution.parse()?, ..WrapOptions::default() };
    for _ in 0..runs.first().map_or(Ok(3), |runs| runs.parse::<u32>())? {
        let mut surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
        let start = Instant::now();
        surface.tree()?;
        device.synchronize()?;
        let tree = start.elapsed();
        let start = Instant::now();
        let report = wrap(&mut surface, &options)?;
        device.synchronize()?;
        println!(
            "{what}, {} faces: tree {:.1} ms, the rest {:.1} ms; {report:?}",
            mesh.faces.len(),
            1e3 * tree.as_secs_f64(),
            1e3 * start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

/// A sphere of 1,310,720 faces with bumps.
fn bumpy() -> Result<TriangleMesh, Box<dyn std::error::Error>> {
    let mut mesh = ribbonmesh_mesh::shapes::icosphere(8)?;
    for p in &mut mesh.positions {
        *p *= 1.0 + 0.05 * (20.0 * p.x).sin() * (20.0 * p.y).sin() * (20.0 * p.z).sin();
    }
    Ok(mesh)
}

/// A thousand triangles in a cube.
fn random() -> TriangleMesh {
    let mut state = 7_u64;
    let mut number = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut positions = vec![];
    for _ in 0..1000 {
        let middle = DVec3::new(number(), number(), number());
        for _ in 0..3 {
            positions.push(middle + 0.1 * DVec3::new(number(), number(), number()));
        }
    }
    let faces = (0..1000).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    TriangleMesh::new(positions, faces)
}
