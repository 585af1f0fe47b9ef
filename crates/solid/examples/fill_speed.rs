//! Times of filling all holes of meshes: flat with least weight, flat with ears, smooth; with areas and
//! sharpest edges.
//!
//! `cargo run --release -p ribbonmesh-solid --example fill_speed -- MESH…`
use ribbonmesh::Device;
use ribbonmesh_solid::fill::{FillOptions, Method, fill_holes, holes};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let mesh = ribbonmesh_io::read(&file)?.mesh;
        let start = Instant::now();
        let found = holes(&Device::cpu(), &mesh)?;
        let looked = start.elapsed().as_secs_f64();
        let most = found.iter().map(|hole| hole.edges).max().unwrap_or(0);
        println!(
            "{file}: {} faces, {} holes of up to {most} edges, {looked:.4} s",
            mesh.faces.len(),
            found.len()
        );
        let exact = FillOptions::default().exact_up_to;
        for (method, exact_up_to) in [(Method::Flat, exact), (Method::Flat, 0), (Method::Smooth, exact)] {
            let mut seconds = f64::INFINITY;
            let options = FillOptions { method, exact_up_to, ..FillOptions::default() };
            let mut report = None;
            for _ in 0..3 {
                let mut filled = mesh.clone();
                let start = Instant::now();
                report = Some(fill_holes(&Device::cpu(), &mut filled, &options)?);
                seconds = seconds.min(start.elapsed().as_secs_f64());
            }
            let Some(report) = report else { continue };
            let fillings = || report.holes.iter().filter_map(|hole| hole.filling.as_ref());
            let sharpest = fillings().map(|filling| filling.max_dihedral_angle).fold(0.0, f64::max);
            let mean =
                fillings().map(|filling| filling.max_dihedral_angle).sum::<f64>() / fillings().count() as f64;
            println!(
                "  {method}, exact up to {exact_up_to}: {seconds:.4} s, {:.4} s without looking; {} faces, area {:.6}, sharpest {sharpest:.1}°, mean {mean:.1}°, {} not converged",
                seconds - looked,
                report.faces_added,
                report.area_added,
                fillings().filter(|filling| !filling.converged).count()
            );
        }
    }
    Ok(())
}
