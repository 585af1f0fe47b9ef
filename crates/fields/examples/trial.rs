//! Prints the table of docs/apps/denoise.md: all methods on meshes with noise of known size. Meshes that are
//! named as arguments are measured, too.
// Files of the tests, which check the numbers that this example prints.
#[path = "../tests/it/denoise/measured.rs"]
mod measured;
#[path = "../tests/it/denoise/parts.rs"]
mod parts;
use measured::{Measured, Noise};
use ribbonmesh::Device;
use ribbonmesh::mesh::TriangleMesh;
use ribbonmesh_fields::denoise::{DenoiseOptions, Method};
use ribbonmesh_mesh::shapes;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::cpu();
    let named = |name: &str, mesh| (name.to_owned(), mesh);
    let mut all: Vec<(String, TriangleMesh)> = vec![
        named("box", parts::block(24)),
        named("angle iron", parts::angle(14)),
        named("cylinder", parts::cylinder(96, 12, 20)),
        named("perforated plate", parts::plate(3, 12)),
        named("gear", parts::gear(16, 3, 8, 8)),
        named("coarse gear", parts::gear(16, 1, 1, 1)),
        named("coarse cylinder", parts::cylinder(64, 1, 1)),
        named("torus", shapes::torus(60, 1).expect("small")),
        named("sphere", shapes::icosphere(4).expect("small")),
    ];
    let files = std::env::args_os().skip(1).map(PathBuf::from);
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.push((name, ribbonmesh_io::read(&file)?.mesh));
    }
    println!(
        "| mesh | noise | estimate | before | bilateral | normals (default) | taubin |\n|---|---|---|---|---|---|---|"
    );
    for (name, clean) in all {
        let shape = Measured::new(&device, &name, clean);
        let noises = [0.0, 0.05, 0.1, 0.2, 0.3].into_iter().flat_map(|s| [Noise::Normal(s), Noise::Any(s)]);
        for noise in noises.skip(1) {
            let x = shape.noisy(noise);
            let before = shape.error(&x);
            let mut row = format!("| {name} | {noise} |");
            let mut cells = String::new();
            for method in Method::ALL {
                let (y, report) =
                    shape.denoised(&x, &DenoiseOptions { method, ..DenoiseOptions::default() })?;
                let after = shape.error(&y);
                if method == Method::Normals {
                    row += &format!(" {:.3} | {before} |", report.noise.unwrap_or(f64::NAN));
                }
                let worse =
                    if after.distance > before.distance || after.angle > before.angle { " ✗" } else { "" };
                cells += &format!(" {after}{worse} |");
            }
            println!("{row}{cells}");
        }
    }
    Ok(())
}
