//! Holes that are found, paired and filled as in the paper on grid-free surface tracking (3.5 to 3.8), beside
//! the filling that applications use.
use crate::options::Options;
use crate::report::{Report, row};
use anyhow::{Result, ensure};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, DeviceKind, MeshOptions, Surface};
use ribbonmesh_holes::{HoleOptions, Holes};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{bumpy_sphere, icosphere};
use ribbonmesh_solid::fill::{FillOptions, Method, fill_surface};
use ribbonmesh_solid::intersections::Triangles;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Times in milliseconds, medians.
#[derive(Serialize)]
struct Measured {
    mesh: String,
    faces: usize,
    holes: u32,
    /// Vertices of all holes.
    vertices: usize,
    joined: usize,
    open: u32,
    /// Finding the holes; pairing and joining them; filling them by algorithm 3 up to 128 vertices and by
    /// algorithm 4 beyond; by algorithm 4 alone; by algorithm 3 alone, unless a hole is long.
    find_ms: f64,
    join_ms: f64,
    fill_ms: f64,
    fill_4_ms: f64,
    fill_3_ms: Option<f64>,
    /// The time of applications with the same mesh, which includes finding and joining.
    product_ms: f64,
    product_filled: usize,
}

/// Vertices of a hole beyond which algorithm 3 alone takes too long: on a GPU, and on a CPU.
const LONG: [u32; 2] = [1024, 200];

/// A mesh, and the greatest length of an edge.
struct Case {
    name: &'static str,
    mesh: TriangleMesh,
    longest: f32,
    /// Vertices of the longest hole, about.
    hole: u32,
}

/// Balls in pairs whose open ends face each other.
fn facing(pairs: u32, level: u32) -> Result<TriangleMesh> {
    let ball = icosphere(level)?;
    let (mut positions, mut faces) = (vec![], vec![]);
    for i in 0..pairs {
        for z in [0.75, -0.75] {
            let first = positions.len() as u32;
            let is_cap = |v: u32| ball.positions[v as usize].z * z > 0.75 * 0.75;
            let at = DVec3::new(3.0 * f64::from(i), 0.0, -1.01 * z);
            positions.extend(ball.positions.iter().map(|&p| p + at));
            let kept = ball.faces.iter().filter(|face| !face.iter().all(|&v| is_cap(v)));
            faces.extend(kept.map(|face| face.map(|v| first + v)));
        }
    }
    Ok(TriangleMesh::new(positions, faces))
}
/// A cone without its base.
fn cone(n: u32) -> TriangleMesh {
    let angle = |i: u32| f64::from(i) / f64::from(n) * std::f64::consts::TAU;
    let rim = (0..n).map(|i| DVec3::new(angle(i).cos(), angle(i).sin(), 0.0));
    TriangleMesh::new(rim.chain([DVec3::Z]).collect(), (0..n).map(|i| [i, (i + 1) % n, n]).collect())
}

fn cases(on_cpu: bool) -> Result<[Case; 5]> {
    let level = if on_cpu { 6 } else { 8 };
    let mut small = bumpy_sphere(level, 1)?;
    small.faces.retain(|face| face.iter().all(|v| v % 500 != 0));
    let edge = |level: u32| 1.3 / f32::from(2_u8).powi(level as i32);
    let cone = |n: u32, name| Case { name, mesh: cone(n), longest: 7.0 / n as f32, hole: n };
    Ok([
        Case { name: "stars of a bumpy sphere", mesh: small, longest: edge(level), hole: 10 },
        Case { name: "16 pairs of balls", mesh: facing(16, 4)?, longest: edge(4), hole: 160 },
        Case { name: "64 pairs of balls", mesh: facing(64, 5)?, longest: edge(5), hole: 320 },
        cone(1000, "a cone"),
        cone(5000, "a cone"),
    ])
}

/// The median of the milliseconds of each of several parts of some work, after a run that does not count.
fn time<const N: usize>(
    device: &Device,
    runs: usize,
    mut work: impl FnMut(&mut dyn FnMut() -> Result<()>) -> Result<()>,
) -> Result<[f64; N]> {
    let mut times = [(); N].map(|()| vec![]);
    for run in 0..=runs {
        device.synchronize()?;
        let (mut start, mut part) = (Instant::now(), 0);
        work(&mut || {
            device.synchronize()?;
            if run > 0 {
                times[part].push(1e3 * start.elapsed().as_secs_f64());
            }
            (start, part) = (Instant::now(), part + 1);
            Ok(())
        })?;
    }
    Ok(times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }))
}

fn measure(device: &Device, runs: usize, case: &Case) -> Result<Measured> {
    let Case { name, mesh, longest, hole } = case;
    let x: Vec<Vec3> = mesh.points();
    let (positions, faces) = (device.upload(&x)?, device.upload(mesh.faces.as_flattened())?);
    let of = Triangles { positions: &positions, faces: &faces };
    let usual = HoleOptions::of_edges(*longest);
    let (mut counts, mut joined, mut vertices) = ((0, 0), 0, 0);
    let mut times = |options: HoleOptions| {
        time::<3>(device, runs, |lap| {
            let holes = Holes::of(of)?;
            lap()?;
            vertices = holes.order().len();
            let pairs = holes.join(&options)?;
            lap()?;
            let bridges = pairs.bridges().read()?;
            joined = bridges.iter().filter(|bridge| bridge.is_some()).count();
            let filled = pairs.fill(&options)?;
            lap()?;
            counts = (filled.holes, filled.open);
            Ok(())
        })
    };
    let [find_ms, join_ms, fill_ms] = times(usual)?;
    let [.., fill_4_ms] = times(HoleOptions { exact: 0, ..usual })?;
    let long = LONG[usize::from(device.kind() == DeviceKind::Cpu)];
    let by_3 = (*hole <= long).then(|| times(HoleOptions { exact: u32::MAX, ..usual })).transpose()?;
    ensure!(counts.0 > 0, "{name}: no holes");
    let whole = Surface::new(device, mesh, &MeshOptions::default())?;
    let join = Some(f64::from(usual.pair_distance));
    let options = FillOptions { method: Method::Flat, borders: true, join, ..FillOptions::default() };
    let mut product_filled = 0;
    let [_, product_ms] = time::<2>(device, runs, |lap| {
        let mut surface = whole.try_clone()?;
        lap()?;
        product_filled = fill_surface(&mut surface, &options)?.filled;
        lap()
    })?;
    Ok(Measured {
        mesh: (*name).to_owned(),
        faces: mesh.faces.len(),
        holes: counts.0,
        vertices,
        joined,
        open: counts.1,
        find_ms,
        join_ms,
        fill_ms,
        fill_4_ms,
        fill_3_ms: by_3.map(|[.., fill]| fill),
        product_ms,
        product_filled,
    })
}

/// Measures and writes `holes.json` and `holes.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let runs = options.repeat.unwrap_or(if on_cpu { 3 } else { 15 }).max(1);
    let mut measured = vec![];
    for case in &cases(on_cpu)? {
        let m = measure(device, runs, case)?;
        eprintln!("{}, {} holes: {:.2} ms", m.mesh, m.holes, m.find_ms + m.join_ms + m.fill_ms);
        measured.push(m);
    }
    report.machine.jit_seconds = device.loading().seconds;
    report.write_work(&options.output, "holes", &measured, &table(&report, &measured)?)
}

fn table(report: &Report, measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Holes as in a paper: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. Milliseconds, median, of arrays that are on the device: finding the holes, pairing and joining them, filling them by \
         algorithm 3 up to 128 vertices and by algorithm 4 beyond; by one of these alone. Last, `ribbonmesh_solid::fill` of the same mesh, all of it.\n",
        report.date,
        env!("CARGO_PKG_VERSION")
    )?;
    let head = [
        "mesh",
        "faces",
        "holes",
        "their vertices",
        "joined",
        "open",
        "find",
        "join",
        "fill",
        "all",
        "algorithm 4",
        "algorithm 3",
        "product",
    ];
    row(&mut text, &head)?;
    row(&mut text, &["---"; 13])?;
    for m in measured {
        row(
            &mut text,
            &[
                m.mesh.clone(),
                m.faces.to_string(),
                m.holes.to_string(),
                m.vertices.to_string(),
                m.joined.to_string(),
                m.open.to_string(),
                format!("{:.3}", m.find_ms),
                format!("{:.3}", m.join_ms),
                format!("{:.3}", m.fill_ms),
                format!("{:.3}", m.find_ms + m.join_ms + m.fill_ms),
                format!("{:.3}", m.fill_4_ms),
                m.fill_3_ms.map_or("–".to_owned(), |ms| format!("{ms:.3}")),
                format!("{:.3}, {} filled", m.product_ms, m.product_filled),
            ],
        )?;
    }
    Ok(text)
}
