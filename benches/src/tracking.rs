//! Steps of surface tracking: thesis figure 5.13, and scenes of El Topo.
use crate::options::Options;
use crate::report::Report;
use anyhow::Result;
use ribbonmesh::Device;
use ribbonmesh::dynamic::Operations;
use ribbonmesh_baselines::{Improved, IndexedSurface};
use ribbonmesh_track::{Scene, SceneKind, StepReport, Subdivision, TrackOptions, Tracker};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Scenes: name, kind, size, steps, and times of other programs: milliseconds of all steps, and the machine.
type Run = (&'static str, SceneKind, u32, u32, Option<(f64, &'static str)>);
const RUNS: [Run; 8] = [
    ("sheet in curl noise", SceneKind::CurlNoise, 100, 50, None),
    ("sheet in curl noise", SceneKind::CurlNoise, 300, 50, None),
    ("sheet in curl noise", SceneKind::CurlNoise, 1000, 20, None),
    ("sphere in curl noise", SceneKind::CurlNoiseSphere, 8, 20, Some((182.0, "RXMesh, H100"))),
    ("Enright", SceneKind::Enright, 18, 300, Some((324_000.0, "El Topo, one core"))),
    ("Enright", SceneKind::Enright, 60, 50, None),
    ("Enright", SceneKind::Enright, 220, 20, None),
    ("normal flow", SceneKind::NormalFlow, 220, 20, None),
];
/// On a CPU, faces at the beginning at most: time is short there.
const MOST_ON_CPU: usize = 200_000;

/// Splits and collapses of one mesh: by the operators of the tracker, and by the passes of the paper on
/// grid-free tracking.
#[derive(Debug, Serialize)]
struct Passes {
    faces: usize,
    /// Upper and lower length: parts of the mean.
    longest: f32,
    shortest: f32,
    /// Milliseconds, edges and passes of the splits by operators; of the collapses; of the splits by the
    /// paper's passes; of their collapses.
    splits: (f64, u64, u32),
    collapses: (f64, u64, u32),
    paper_splits: (f64, u64, u32),
    paper_collapses: (f64, u64, u32),
}

/// An entry of the file with raw measurements.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Steps(&'a Measured),
    Passes(&'a Passes),
}

/// The length of which limits are parts, in means of the mesh: what a step of a motion leaves, and what
/// refines or coarsens all of a mesh.
const LENGTHS: [f32; 3] = [1.0, 0.5, 1.5];
/// The limits.
const SHORTEST: f32 = 0.7;
const LONGEST: f32 = 1.4;

/// The sphere with bumps, whose lengths vary, as both improve it: the second of two runs.
fn passes(device: &Device, k: u32, length: f32) -> Result<Passes> {
    let sphere = ribbonmesh_mesh::shapes::bumpy_sphere(k, 0)?;
    let mean = Tracker::new(device, &sphere, &TrackOptions::default())?.length();
    let [shortest, longest] = [SHORTEST, LONGEST].map(|part| part * length);
    let options = TrackOptions {
        length: Some(length * mean),
        shortest: SHORTEST,
        longest: LONGEST,
        subdivision: Subdivision::Middle,
        smoothing: 0,
        measure: false,
        ..TrackOptions::default()
    };
    let mut found = Err(anyhow::anyhow!("no run"));
    for _ in 0..2 {
        let mut tracker = Tracker::new(device, &sphere, &options)?;
        let report = tracker.improve_only()?;
        let of = |done: &Operations| (1e3 * done.seconds, done.executed, done.passes);
        // memory for all that is split and never taken away
        let room = if longest < 1.0 { 24 } else { 8 };
        let mut surface = IndexedSurface::new(device, &sphere.points(), &sphere.faces, room)?;
        let timed = |surface: &mut IndexedSurface, work: fn(&mut IndexedSurface, f32) -> _, length| {
            device.synchronize()?;
            let start = Instant::now();
            let done: Improved = work(surface, length)?;
            device.synchronize()?;
            anyhow::Ok((1e3 * start.elapsed().as_secs_f64(), u64::from(done.edges), done.passes))
        };
        found = Ok(Passes {
            faces: sphere.faces.len(),
            longest,
            shortest,
            splits: of(&report.split),
            collapses: of(&report.collapse),
            paper_splits: timed(&mut surface, IndexedSurface::split, longest * mean)?,
            paper_collapses: timed(&mut surface, IndexedSurface::collapse, shortest * mean)?,
        });
    }
    found
}

/// The steps of one scene.
#[derive(Debug, Serialize)]
struct Measured {
    scene: &'static str,
    faces: usize,
    faces_after: u64,
    steps: u32,
    /// Milliseconds of a step, the mean: moving, splits, flips, collapses, smoothing, contiguous ids, all.
    move_ms: f64,
    split_ms: f64,
    flip_ms: f64,
    collapse_ms: f64,
    smooth_ms: f64,
    compact_ms: f64,
    step_ms: f64,
    slowest_ms: f64,
    triangle_steps_per_second: f64,
    volume_drift: Option<f64>,
    /// The same steps elsewhere, milliseconds of one, and where.
    peer: Option<(f64, &'static str)>,
}

/// All steps of a scene, by the clock of the host. Nothing is measured in between.
fn steps(device: &Device, (scene, kind, size, steps, peer): Run) -> Result<Option<Measured>> {
    let mut begun = Scene::new(kind, Some(size), 0)?;
    // as far in each step, in edges, whatever the size, which scenes of noise see to
    let finer = f64::from(kind.usual_size()) / f64::from(size);
    if !matches!(kind, SceneKind::CurlNoise | SceneKind::CurlNoiseSphere) {
        begun.dt *= finer.min(1.0);
    }
    let faces = begun.mesh.faces.len();
    if device.kind() == ribbonmesh::DeviceKind::Cpu && faces > MOST_ON_CPU {
        return Ok(None);
    }
    let options = TrackOptions { measure: false, ..begun.options(&TrackOptions::default()) };
    let mut tracker = Tracker::new(device, &begun.mesh, &options)?;
    let before = tracker.measure()?;
    let (mut all, mut slowest, mut sum) = (vec![], 0.0f64, 0.0);
    for _ in 0..steps {
        let start = Instant::now();
        all.push(tracker.step(begun.dt, begun.flow.as_mut())?);
        device.synchronize()?;
        let seconds = start.elapsed().as_secs_f64();
        (slowest, sum) = (slowest.max(seconds), sum + seconds);
    }
    let after = tracker.measure()?;
    let mean = |of: fn(&StepReport) -> f64| 1e3 * all.iter().map(of).sum::<f64>() / f64::from(steps);
    let mean_faces = 0.5 * (before.faces + after.faces) as f64;
    Ok(Some(Measured {
        scene,
        faces,
        faces_after: after.faces,
        steps,
        move_ms: mean(|step| step.move_seconds),
        split_ms: mean(|step| step.split.seconds),
        flip_ms: mean(|step| step.flip.seconds),
        collapse_ms: mean(|step| step.collapse.seconds),
        smooth_ms: mean(|step| step.smooth_seconds),
        compact_ms: mean(|step| step.compact_seconds),
        step_ms: 1e3 * sum / f64::from(steps),
        slowest_ms: 1e3 * slowest,
        triangle_steps_per_second: mean_faces * f64::from(steps) / sum,
        volume_drift: (before.is_closed() && after.is_closed()).then(|| after.volume / before.volume - 1.0),
        peer: peer.map(|(ms, on)| (ms / f64::from(steps), on)),
    }))
}

/// Measures and writes `tracking.json` and `tracking.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    // the driver compiles the kernels
    for kind in [SceneKind::CurlNoise, SceneKind::CurlNoiseSphere, SceneKind::Enright, SceneKind::NormalFlow]
    {
        steps(device, ("", kind, 4, 3, None))?;
    }
    let mut measured = vec![];
    for run in RUNS {
        if let Some(found) = steps(device, run)? {
            eprintln!("{}, {} faces: {:.2} ms a step", found.scene, found.faces, found.step_ms);
            measured.push(found);
        }
    }
    let mut improved = vec![];
    for k in if device.kind() == ribbonmesh::DeviceKind::Cpu { 5..=6 } else { 6..=8 } {
        for length in LENGTHS {
            improved.push(passes(device, k, length)?);
        }
    }
    report.machine.jit_seconds = device.loading().seconds;
    let text = table(&report, &measured)? + &table_of_passes(&improved)?;
    let entries: Vec<_> =
        measured.iter().map(Entry::Steps).chain(improved.iter().map(Entry::Passes)).collect();
    report.write_work(&options.output, "tracking", &entries, &text)
}

fn table_of_passes(improved: &[Passes]) -> Result<String> {
    let mut text = String::new();
    writeln!(
        text,
        "\n## Splits and collapses by operators and by passes\n\nOf the sphere with bumps: by the tracker's operators, which keep half-edges; and by the passes of \
         Chentanez and others 2016 (3.9), which keep triangles alone, split in the middle by stencils and collapse by locks (30 passes at most), without tests of \
         volumes, angles and normals. Lengths in parts of the mean. Milliseconds, edges, passes.\n"
    )?;
    writeln!(text, "| faces | lengths | splits | by passes | collapses | by passes |")?;
    writeln!(text, "|---|---|---|---|---|---|")?;
    let of = |(ms, edges, passes): (f64, u64, u32)| format!("{ms:.2}, {edges}, {passes}");
    for m in improved {
        writeln!(
            text,
            "| {} | {} to {} | {} | {} | {} | {} |",
            m.faces,
            m.shortest,
            m.longest,
            of(m.splits),
            of(m.paper_splits),
            of(m.collapses),
            of(m.paper_collapses)
        )?;
    }
    Ok(text)
}

fn table(report: &Report, measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Surface tracking: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. Milliseconds of a step, the mean of the first steps of a scene. Others: the same number of steps of the \
         same scene with their own parameters and triangles; El Topo's with its handling of collisions.\n",
        report.date,
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(
        text,
        "| scene | faces | after | steps | move | split | flip | collapse | smooth | ids | step | slowest | million triangle-steps/s | volume | others, a step |"
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")?;
    for m in measured {
        let volume = m.volume_drift.map_or("–".to_owned(), |drift| format!("{:+.3} %", 100.0 * drift));
        let peer = m.peer.map_or("–".to_owned(), |(ms, on)| format!("{ms:.1} ({on})"));
        writeln!(
            text,
            "| {} | {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {volume} | {peer} |",
            m.scene,
            m.faces,
            m.faces_after,
            m.steps,
            m.move_ms,
            m.split_ms,
            m.flip_ms,
            m.collapse_ms,
            m.smooth_ms,
            m.compact_ms,
            m.step_ms,
            m.slowest_ms,
            m.triangle_steps_per_second / 1e6
        )?;
    }
    Ok(text)
}
