//! Whole jobs without files: a mesh with a colour for each vertex in host memory becomes another one there.
use crate::options::Options;
use crate::paper::dragon;
use crate::report::Report;
use anyhow::{Context, Result};
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_fields::curvature::{CurvatureOptions, curvature};
use ribbonmesh_fields::denoise::{DenoiseOptions, Method, denoise};
use ribbonmesh_fields::normals::{NormalOptions, vertex_normals};
use ribbonmesh_fields::smooth::{SmoothOptions, smooth};
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle};
use ribbonmesh_mesh::{ColourSpace, Column, Role, TriangleMesh};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{ClusterOptions, Density, RemeshOptions, remesh, remesh_by_clusters};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use ribbonmesh_solid::intersections::{IntersectionOptions, intersections};
use ribbonmesh_solid::repair::{RepairOptions, repair_mesh};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Subdivisions of the sphere.
const SPHERE: u32 = 8;

/// An application.
type Job = (&'static str, fn(&mut Surface) -> ribbonmesh::Result<()>);

const JOBS: [Job; 11] = [
    ("normals", |s| vertex_normals(s, &NormalOptions::default()).map(drop)),
    ("curvature", |s| curvature(s, &CurvatureOptions::default()).map(drop)),
    ("smooth", |s| smooth(s, &SmoothOptions::default()).map(drop)),
    ("denoise", |s| {
        let (method, iterations) = (Method::Bilateral, Some(5));
        denoise(s, &DenoiseOptions { method, iterations, ..DenoiseOptions::default() }).map(drop)
    }),
    ("denoise by normals", |s| {
        denoise(s, &DenoiseOptions { noise: Some(0.2), ..DenoiseOptions::default() }).map(drop)
    }),
    ("delaunay", |s| delaunay(s, &DelaunayOptions::default()).map(drop)),
    ("simplify to a tenth", |s| {
        let target = Some(Target::Ratio(0.1));
        simplify(s, &SimplifyOptions { target, ..SimplifyOptions::default() }).map(drop)
    }),
    ("simplify to a tenth, no self-intersections", |s| {
        let target = Some(Target::Ratio(0.1));
        let options = SimplifyOptions { target, no_self_intersections: true, ..SimplifyOptions::default() };
        simplify(s, &options).map(drop)
    }),
    ("remesh, 3 iterations", |s| {
        remesh(s, &RemeshOptions { iterations: 3, ..RemeshOptions::default() }).map(drop)
    }),
    ("remesh by clusters to an eighth", by_clusters),
    ("intersections", |s| intersections(s, &IntersectionOptions::default()).map(drop)),
];
/// Jobs that are measured on a mesh of 2.6 million vertices.
const LARGE_JOBS: [Job; 2] = [
    ("simplify to an eighth", |s| {
        let target = Some(Target::Ratio(0.125));
        simplify(s, &SimplifyOptions { target, ..SimplifyOptions::default() }).map(drop)
    }),
    ("remesh by clusters to an eighth", by_clusters),
];

fn by_clusters(surface: &mut Surface) -> ribbonmesh::Result<()> {
    let density = Density::Ratio(0.125);
    remesh_by_clusters(surface, &ClusterOptions { density, ..ClusterOptions::default() }).map(drop)
}

/// One job on one mesh, in milliseconds.
#[derive(Serialize)]
struct Measured {
    job: &'static str,
    mesh: &'static str,
    faces: usize,
    /// The first run, in which the driver compiles the kernels that no job before has used.
    first_ms: f64,
    /// The parts and the whole of the run with the median whole.
    upload_ms: f64,
    work_ms: f64,
    download_ms: f64,
    median_ms: f64,
}

/// Upload, work, download, in milliseconds.
fn once(device: &Device, mesh: &TriangleMesh, job: &Job) -> Result<[f64; 3]> {
    let mut at = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        1e3 * (now - std::mem::replace(&mut at, now)).as_secs_f64()
    };
    let mut surface = Surface::new(device, mesh, &MeshOptions::default())?;
    device.synchronize()?;
    let upload = lap();
    job.1(&mut surface)?;
    device.synchronize()?;
    let work = lap();
    let after = surface.download()?;
    let download = lap();
    anyhow::ensure!(!after.faces.is_empty(), "nothing is left");
    Ok([upload, work, download])
}

fn coloured(mut mesh: TriangleMesh) -> Result<TriangleMesh> {
    let colours: Vec<[u8; 3]> = (0..mesh.positions.len()).map(|i| [i as u8, (i >> 8) as u8, 90]).collect();
    mesh.vertices_mut().insert_column(Column::with_role(
        "color",
        Role::Colour(ColourSpace::Srgb),
        colours,
    ))?;
    Ok(mesh)
}

/// The meshes and the work on them: a sphere in an order by chance, a larger one, and the dragon where there
/// is one.
fn meshes(options: &Options) -> Result<Vec<(&'static str, TriangleMesh, &'static [Job])>> {
    let sphere = |level| {
        let mut sphere = bumpy_sphere(level, 1)?;
        shuffle(&mut sphere, 1);
        coloured(sphere)
    };
    let name = "bumpy sphere, shuffled";
    let mut meshes: Vec<(_, _, &[Job])> =
        vec![(name, sphere(SPHERE)?, &JOBS), (name, sphere(SPHERE + 1)?, &LARGE_JOBS)];
    match dragon(options.dragon.as_deref())? {
        Some(path) => {
            let mut mesh = ribbonmesh_io::read(&path).with_context(|| path.display().to_string())?.mesh;
            repair_mesh(&Device::cpu(), &mut mesh, &RepairOptions::default())?;
            meshes.push(("dragon", coloured(mesh)?, &JOBS));
        }
        None => eprintln!("no dragon: `cargo xtask fetch-meshes` gets it"),
    }
    Ok(meshes)
}

/// Measures and writes `jobs.json` and `jobs.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let mut measured = vec![];
    for (name, mesh, jobs) in meshes(options)? {
        for job in jobs {
            let first: f64 = once(device, &mesh, job)?.iter().sum();
            let repetitions = options.repeat.unwrap_or(5).max(1);
            let mut runs = (0..repetitions).map(|_| once(device, &mesh, job)).collect::<Result<Vec<_>>>()?;
            let whole = |run: &[f64; 3]| run.iter().sum::<f64>();
            runs.sort_by(|a, b| whole(a).total_cmp(&whole(b)));
            let median = runs[runs.len() / 2];
            eprintln!("{}, {name}: {:.1} ms", job.0, whole(&median));
            measured.push(Measured {
                job: job.0,
                mesh: name,
                faces: mesh.faces.len(),
                first_ms: first,
                upload_ms: median[0],
                work_ms: median[1],
                download_ms: median[2],
                median_ms: whole(&median),
            });
        }
    }
    report.machine.jit_seconds = device.loading().seconds;
    report.write_work(&options.output, "jobs", &measured, &table(&report, &measured)?)
}

fn table(report: &Report, measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Whole jobs: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. From a mesh with colours in host memory to another one there, without files. Milliseconds, median; the \
         first run also compiles the kernels that no row above has used.\n",
        report.date,
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(text, "| job | mesh | faces | upload | work | download | all | first run |")?;
    writeln!(text, "|---|---|---|---|---|---|---|---|")?;
    for m in measured {
        writeln!(
            text,
            "| {} | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
            m.job, m.mesh, m.faces, m.upload_ms, m.work_ms, m.download_ms, m.median_ms, m.first_ms
        )?;
    }
    Ok(text)
}
