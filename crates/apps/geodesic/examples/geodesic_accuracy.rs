//! Errors of the kernels' distances against exact ones: `geodesic_accuracy [MESH…]`. Without meshes, those of the
//! documentation: parts with slender triangles, plates with holes, shapes. From several sources for small meshes.
#[path = "../tests/parts/mod.rs"]
mod parts;
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_geodesic::exact::Exact;
use ribbonmesh_geodesic::{Geodesic, GeodesicOptions, Order};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

type Shape = Result<TriangleMesh, shapes::ShapeError>;

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| mesh | faces | mean | over | under | under by 0.5 % | hops: mean | over | under | s | exact, s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for file in &files {
        let mesh = ribbonmesh_io::read(Path::new(file))?.mesh;
        let name = Path::new(file).file_stem().map_or(file.as_str().into(), |s| s.to_string_lossy());
        row(&name, (mesh.positions, mesh.faces))?;
    }
    if !files.is_empty() {
        return Ok(());
    }
    let shape = |shape: Shape| shape.map(|mesh| (mesh.positions, mesh.faces));
    row("sphere", shape(shapes::icosphere(3))?)?;
    row("bumpy sphere", shape(shapes::bumpy_sphere(3, 0))?)?;
    row("torus", shape(shapes::torus(24, 0))?)?;
    row("torus knot", shape(shapes::torus_knot(2, 3, 10, 90))?)?;
    row("Möbius strip", shape(shapes::mobius(60, 8))?)?;
    row("grid plate", parts::grid_plate(60, 6, 3, 1.0))?;
    row("stretched grid plate", parts::grid_plate(60, 6, 4, 5.0))?;
    row("plate, 64 holes", parts::plate(8, 8, 12))?;
    row("plate, 160 holes", parts::plate(16, 10, 16))?;
    row("thick plate, 36 holes", parts::thick_plate(6, 6, 12))?;
    row("bracket", parts::bracket())?;
    row("gear", parts::gear(24))?;
    row("cube", parts::cube())
}

/// Mean error, the most above, the most below, and the share of vertices with less than 0.995 of the distance.
#[derive(Default)]
struct Errors {
    sum: f64,
    count: usize,
    over: f64,
    under: f64,
    low: usize,
}

fn row(name: &str, (positions, faces): parts::Part) -> Result<(), Box<dyn Error>> {
    // what single precision holds
    let points: Vec<_> = positions.iter().map(|p| p.as_vec3()).collect();
    let positions: Vec<_> = points.iter().map(|p| p.as_dvec3()).collect();
    let n = positions.len() as u32;
    let sources = if faces.len() < 20_000 { vec![0, n / 2, n / 3, n / 5] } else { vec![0] };
    let device = Device::cpu();
    let mesh = StaticMesh::new(&device, points.len(), &faces, &MeshOptions::default())?;
    let x = Attribute::<Vertex, _>::from_input(&mesh, &points)?;
    let mut geodesic = Geodesic::new(&mesh, &x)?;
    let mut exact = Exact::new(&positions, &faces)?;
    let (mut errors, mut seconds) = ([Errors::default(), Errors::default()], [0.0; 2]);
    for &source in &sources {
        let start = Instant::now();
        exact.run(&[source])?;
        seconds[1] += start.elapsed().as_secs_f64();
        for (order, errors) in Order::ALL.into_iter().zip(&mut errors) {
            let options = GeodesicOptions { order, ..GeodesicOptions::default() };
            let start = Instant::now();
            geodesic.run(&[source], &options)?;
            if order == Order::Distance {
                seconds[0] += start.elapsed().as_secs_f64();
            }
            for (d, e) in geodesic.distances()?.download()?.iter().zip(exact.distances()) {
                if *e > 0.0 && e.is_finite() {
                    let error = (f64::from(*d) - e) / e;
                    errors.sum += error.abs();
                    errors.count += 1;
                    errors.over = errors.over.max(error);
                    errors.under = errors.under.max(-error);
                    errors.low += (error < -0.005) as usize;
                }
            }
        }
    }
    let percent = |x: f64| format!("{:.2} %", 100.0 * x);
    let [a, b] = errors;
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {:.3} | {:.3} |",
        faces.len(),
        percent(a.sum / a.count as f64),
        percent(a.over),
        percent(a.under),
        percent(a.low as f64 / a.count as f64),
        percent(b.sum / b.count as f64),
        percent(b.over),
        percent(b.under),
        seconds[0] / sources.len() as f64,
        seconds[1] / sources.len() as f64,
    );
    Ok(())
}
