//! Times of clusters, simplification and flips without and with `no_self_intersections`, from a surface on a
//! device to a surface there: the first run and the median of five; and the pairs of faces that intersect.
//!
//! `cargo run --release -p ribbonmesh-remeshing --example apart_speed -- MESH|SPHERE_LEVEL…`
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{ClusterOptions, Density, remesh_by_clusters};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use ribbonmesh_solid::intersections::{IntersectionOptions, intersections};
use std::error::Error;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Runs a job on copies of a surface, and prints its times and what it says of itself.
fn measure(
    name: &str,
    surface: &Surface,
    repetitions: usize,
    job: impl Fn(&mut Surface) -> Outcome<String>,
) -> Outcome<()> {
    let (mut times, mut said, mut pairs) = (vec![], String::new(), 0);
    for i in 0..=repetitions {
        let mut copy = surface.try_clone()?;
        copy.device().synchronize()?;
        let start = Instant::now();
        said = job(&mut copy)?;
        copy.device().synchronize()?;
        times.push(1e3 * start.elapsed().as_secs_f64());
        if i == repetitions {
            pairs = intersections(&mut copy, &IntersectionOptions::default())?.report.pairs;
        }
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    println!("  {name}: first {first:.1} ms, median {:.2} ms; {pairs} pairs; {said}", times[times.len() / 2]);
    Ok(())
}

fn main() -> Outcome<()> {
    let device = Device::auto();
    for name in std::env::args().skip(1) {
        let mesh = match name.parse() {
            Ok(level) => shapes::bumpy_sphere(level, 1)?,
            Err(_) => ribbonmesh_io::read(&name)?.mesh,
        };
        let mut surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
        let pairs = intersections(&mut surface.try_clone()?, &IntersectionOptions::default())?.report.pairs;
        println!("{name}: {} faces, {pairs} pairs", mesh.faces.len());
        surface.flat_topology()?;
        let jobs = std::env::var("ONLY").unwrap_or_default();
        let wanted = |name: &str| jobs.is_empty() || jobs.split(',').any(|job| job == name);
        for no_self_intersections in [false, true] {
            let with = if no_self_intersections { "apart" } else { "free" };
            if wanted("clusters") {
                measure(&format!("clusters to an eighth, {with}"), &surface, 5, |surface| {
                    let options = ClusterOptions {
                        density: Density::Ratio(0.125),
                        no_self_intersections,
                        ..ClusterOptions::default()
                    };
                    let report = remesh_by_clusters(surface, &options)?;
                    let ms = |seconds: f64| 1e3 * seconds;
                    Ok(format!(
                        "{} vertices, {} divisions, {} for intersections, {} repeats, {} held, {} pairs kept; prepare {:.2}, cluster {:.2}, join {:.2}, improve {:.2}, finish {:.2}",
                        report.after.vertices,
                        report.divisions,
                        report.parted,
                        report.repeats,
                        report.held,
                        report.kept_pairs,
                        ms(report.prepare_seconds),
                        ms(report.cluster_seconds),
                        ms(report.join_seconds),
                        ms(report.improve_seconds),
                        ms(report.finish_seconds)
                    ))
                })?;
            }
            for faces in [mesh.faces.len() as u32 / 10, 2000].into_iter().filter(|_| wanted("simplify")) {
                measure(&format!("simplify to {faces}, {with}"), &surface, 3, |surface| {
                    let target = Some(Target::Faces(faces));
                    let options =
                        SimplifyOptions { target, no_self_intersections, ..SimplifyOptions::default() };
                    let report = simplify(surface, &options)?;
                    let repeats: u32 = report.stages.iter().map(|stage| stage.repeats).sum();
                    let repeated = report.stages.iter().filter(|stage| stage.repeats > 0).count();
                    Ok(format!(
                        "{} faces, {} stages, {repeated} of them repeated, {repeats} repeats; refused {:?}; prepare {:.2}, stages {:.2}, finish {:.2}",
                        report.after.faces,
                        report.stages.len(),
                        report.rejected.get("intersects"),
                        1e3 * report.prepare_seconds,
                        1e3 * report.seconds,
                        1e3 * report.finish_seconds
                    ))
                })?;
            }
            if wanted("delaunay") {
                measure(&format!("delaunay, {with}"), &surface, 5, |surface| {
                    let options = DelaunayOptions { no_self_intersections, ..DelaunayOptions::default() };
                    let report = delaunay(surface, &options)?;
                    Ok(format!(
                        "{} flips, {} repeats, flips {:.2}",
                        report.flips,
                        report.repeats,
                        1e3 * report.seconds
                    ))
                })?;
            }
        }
    }
    Ok(())
}
