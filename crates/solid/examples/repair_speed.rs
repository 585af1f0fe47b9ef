//! Times of repair and of the search for violations, on a sphere of 20 · 4ᵏ faces without damage and with
//! damage.
//!
//! `cargo run --release -p ribbonmesh-solid --example repair_speed -- [k = 9]`
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh_solid::repair::{RepairOptions, manifold_violations, repair};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let k = std::env::args().nth(1).map_or(Ok(9), |a| a.parse())?;
    let mut shape = ribbonmesh_mesh::shapes::icosphere(k)?;
    ribbonmesh_mesh::shapes::shuffle(&mut shape, 1);
    let (positions, mut faces) = (shape.positions, shape.faces);
    let vertices = positions.len();
    println!("{} faces, {} threads", faces.len(), rayon::current_num_threads());
    measure("as it is", &positions, &faces)?;
    for i in (0..faces.len()).step_by(100) {
        faces[i].swap(1, 2);
    }
    measure("1 face in 100 turned", &positions, &faces)?;
    for i in (7..faces.len()).step_by(100) {
        faces[i][0] = (i % vertices) as u32;
    }
    measure("and 1 in 100 misplaced", &positions, &faces)
}

fn measure(what: &str, positions: &[DVec3], faces: &[[u32; 3]]) -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::cpu();
    let start = Instant::now();
    let found = manifold_violations(&device, positions.len(), faces)?;
    let checked = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let repaired = repair(&device, positions, faces, &RepairOptions::default())?;
    let seconds = start.elapsed().as_secs_f64();
    let changes: usize = repaired.report.counts().iter().map(|(count, ..)| count).sum();
    println!("{what}: {} violations in {checked:.2} s; {changes} changes in {seconds:.2} s", found.total());
    Ok(())
}
