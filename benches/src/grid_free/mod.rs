//! Surfaces that merge and part: Tables 1 and 2 of the paper on grid-free surface tracking, and scenes of
//! others.
mod paper;
mod watched;

pub use self::watched::serve;

use self::paper::{COMPARED, Compared, Phases};
use crate::options::Options;
use crate::report::Report;
use anyhow::Result;
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_grid::GridScene;
use ribbonmesh_particles::ParticleScene;
use ribbonmesh_track::{Method, Scene, SceneKind, StepReport, TrackError, TrackOptions, Tracker};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// A scene with a size and a number of steps; fewer on a CPU, where `None` means that it takes too long.
struct Run {
    scene: &'static str,
    begin: fn(u32, u64) -> ribbonmesh::Result<Scene>,
    size: u32,
    steps: u32,
    on_cpu: Option<u32>,
    /// Times of other programs, in words.
    others: &'static str,
}

const fn of(
    scene: &'static str,
    begin: fn(u32, u64) -> ribbonmesh::Result<Scene>,
    [size, steps]: [u32; 2],
    on_cpu: Option<u32>,
    others: &'static str,
) -> Run {
    Run { scene, begin, size, steps, on_cpu, others }
}
const RUNS: [Run; 12] = [
    of("two spheres", two_spheres, [7, 400], Some(400), "El Topo, one core, 35 s in all"),
    of("two spheres", two_spheres, [40, 100], Some(60), "–"),
    of("two spheres", two_spheres, [160, 80], None, "–"),
    of("dumbbell", dumbbell, [25, 500], Some(500), "–"),
    of("sphere in noise", tangled, [6, 300], Some(150), "–"),
    of("sphere in noise", tangled, [60, 300], None, "–"),
    of("100 spheres", spheres, [100, 50], Some(50), SUPER_DUPER),
    of("1000 spheres", spheres, [1000, 50], None, "–"),
    of("ball splash", ball_splash, [125, 400], None, "Chentanez and others, Titan X: 45 ms at 228 K"),
    of("fountain", fountain, [350, 150], None, "Chentanez and others, Titan X: 168 ms at 927 K"),
    of("balloon", balloon, [280, 350], None, "Chentanez and others, Titan X: 425 ms at 1,832 K"),
    of("jets", jets, [120, 350], None, "Chentanez and others, Titan X: 103 ms at 520 K"),
];
const SUPER_DUPER: &str = "SuperDuperTopoFixer 6.1 min, Los Topos 84.5 min in all; scene not the same";

fn two_spheres(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    Scene::new(SceneKind::TwoSpheres, Some(size), seed)
}
fn dumbbell(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    Scene::new(SceneKind::MeanCurvature, Some(size), seed)
}
fn tangled(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    Scene::new(SceneKind::Tangled, Some(size), seed)
}
fn spheres(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    Scene::new(SceneKind::Spheres, Some(size), seed)
}

fn ball_splash(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    ParticleScene::BallSplash.scene(Some(size), seed)
}
fn fountain(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    ParticleScene::Fountain.scene(Some(size), seed)
}
fn balloon(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    ParticleScene::Balloon.scene(Some(size), seed)
}
fn jets(size: u32, seed: u64) -> ribbonmesh::Result<Scene> {
    GridScene::Jets.build(Some(size), seed).map(|built| built.scene)
}

/// The steps of one scene.
#[derive(Debug, Serialize)]
struct Measured {
    scene: &'static str,
    size: u32,
    faces: usize,
    mean_faces: f64,
    most_faces: u64,
    steps: usize,
    /// Steps in which faces intersected, or necks were cut.
    contacts: usize,
    /// Steps that were made in parts, and contacts for which the whole surface was copied to the host.
    in_parts: usize,
    whole: u64,
    /// Milliseconds of a step, the mean: moving the vertices, with the computation of their velocities; mesh
    /// improvement; searching for pairs that intersect; resolving them; all.
    move_ms: f64,
    improve_ms: f64,
    search_ms: f64,
    resolve_ms: f64,
    step_ms: f64,
    slowest_ms: f64,
    /// The mean of the steps with contacts.
    contact_ms: f64,
    triangle_steps_per_second: f64,
    /// Components at the end.
    components: usize,
    phases: Phases,
    others: &'static str,
}

/// The many runs of one scene, with one seed each.
#[derive(Debug, Serialize)]
struct Many {
    runs: u32,
    finished: u32,
    steps: u32,
    /// Seconds of all.
    seconds: f64,
    /// Seconds of the longest.
    longest: f64,
    failures: Vec<String>,
}

#[derive(Debug, Serialize)]
struct All {
    scenes: Vec<Measured>,
    compared: Vec<Compared>,
    hundred_spheres: Option<Many>,
}

fn begin(device: &Device, scene: &Scene) -> Result<Tracker, TrackError> {
    let options = TrackOptions { method: Method::GridFree, ..scene.options(&TrackOptions::default()) };
    let mut tracker = Tracker::new(device, &scene.mesh, &options)?;
    for _ in 0..scene.settle {
        tracker.improve_only()?;
    }
    Ok(tracker)
}

/// Steps of a scene. Each measures the mesh, which is a part of a millisecond.
fn steps(device: &Device, run: &Run, steps: u32) -> Result<Measured> {
    let mut scene = (run.begin)(run.size, 0)?;
    let mut tracker = begin(device, &scene)?;
    let faces = scene.mesh.faces.len();
    let mut all: Vec<StepReport> = vec![];
    for _ in 0..steps {
        if tracker.is_empty() {
            break;
        }
        let start = Instant::now();
        let mut report = tracker.step(scene.dt, scene.flow.as_mut())?;
        device.synchronize()?;
        report.seconds = start.elapsed().as_secs_f64();
        all.push(report);
    }
    let found = |step: &StepReport| step.grid_free.clone().unwrap_or_default();
    let contacts: Vec<&StepReport> =
        all.iter().filter(|step| found(step).pairs > 0 || found(step).pinched > 0).collect();
    let sum = |of: &dyn Fn(&StepReport) -> f64| all.iter().map(of).sum::<f64>();
    let mean = |of: &dyn Fn(&StepReport) -> f64| 1e3 * sum(of) / all.len() as f64;
    let faces_of = |step: &StepReport| step.mesh.map_or(0, |mesh| mesh.faces);
    let seconds = sum(&|step| step.seconds);
    let triangle_steps = sum(&|step| faces_of(step) as f64);
    Ok(Measured {
        scene: run.scene,
        size: run.size,
        faces,
        mean_faces: triangle_steps / all.len() as f64,
        most_faces: all.iter().map(faces_of).max().unwrap_or(0),
        steps: all.len(),
        contacts: contacts.len(),
        in_parts: all.iter().filter(|step| found(step).parts > 1).count(),
        whole: all.iter().map(|step| found(step).whole).sum(),
        move_ms: mean(&|step| step.move_seconds),
        improve_ms: mean(&|step| {
            step.split.seconds + step.flip.seconds + step.collapse.seconds + step.smooth_seconds
        }),
        search_ms: mean(&|step| found(step).tree_seconds + found(step).search_seconds),
        resolve_ms: mean(&|step| found(step).resolve_seconds),
        step_ms: 1e3 * seconds / all.len() as f64,
        slowest_ms: 1e3 * all.iter().map(|step| step.seconds).fold(0.0, f64::max),
        contact_ms: 1e3 * contacts.iter().map(|step| step.seconds).fold(0.0, |sum, s| sum + s)
            / contacts.len().max(1) as f64,
        triangle_steps_per_second: triangle_steps / seconds,
        components: tracker.components().len(),
        phases: Phases::of(&all),
        others: run.others,
    })
}

/// The scene of a hundred spheres with this many seeds.
fn many(device: &Device, runs: u32) -> Result<Many> {
    let mut many = Many { runs, finished: 0, steps: 0, seconds: 0.0, longest: 0.0, failures: vec![] };
    for seed in 1..=u64::from(runs) {
        let mut scene = spheres(100, seed)?;
        let start = Instant::now();
        let mut tracker = begin(device, &scene)?;
        many.steps = scene.steps as u32;
        let done = (0..scene.steps).try_for_each(|_| tracker.step(scene.dt, scene.flow.as_mut()).map(drop));
        match done {
            Ok(()) => many.finished += 1,
            Err(error) => many.failures.push(format!("seed {seed}: {error}")),
        }
        let seconds = start.elapsed().as_secs_f64();
        (many.seconds, many.longest) = (many.seconds + seconds, many.longest.max(seconds));
    }
    Ok(many)
}

/// Measures and writes `grid-free.json` and `grid-free.md`; returns these.
pub fn run(device: &Device, options: &Options, report: &Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    // the driver compiles the kernels
    for (begin, size, count) in
        [(two_spheres as fn(u32, u64) -> _, 3, 70), (ball_splash, 12, 40), (jets, 16, 10)]
    {
        steps(device, &of("", begin, [size, count], None, ""), count)?;
    }
    let mut scenes = vec![];
    let chosen = |scene: &str| options.scenes.is_empty() || options.scenes.iter().any(|name| name == scene);
    for run in RUNS.iter().filter(|run| chosen(run.scene)) {
        let Some(count) = (if on_cpu { run.on_cpu } else { Some(run.steps) }) else { continue };
        let found = steps(device, run, count)?;
        eprintln!("{}, {:.0} faces: {:.2} ms a step", found.scene, found.mean_faces, found.step_ms);
        scenes.push(found);
    }
    let mut compared = vec![];
    if !on_cpu {
        let cpu = Device::cpu();
        for run in COMPARED.iter().filter(|run| chosen(run.scene)) {
            let [of_cpu, of_gpu] = [steps(&cpu, run, run.steps)?, steps(device, run, run.steps)?];
            let (scene, faces) = (run.scene, of_gpu.mean_faces);
            eprintln!(
                "{scene}, {faces:.0} faces: CPU {:.2}, GPU {:.2} ms a step",
                of_cpu.step_ms, of_gpu.step_ms
            );
            compared.push(Compared {
                scene,
                steps: of_gpu.steps,
                faces,
                cpu: of_cpu.phases,
                gpu: of_gpu.phases,
            });
        }
    }
    let hundred_spheres =
        if chosen("100 spheres") { Some(many(device, if on_cpu { 5 } else { 50 })?) } else { None };
    let all = All { scenes, compared, hundred_spheres };
    let text = table(report, &all)?;
    report.write_work(&options.output, "grid-free", &[all], &text)
}

fn table(report: &Report, all: &All) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Surfaces that merge and part: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. `track --method grid-free`, milliseconds of a step, the mean. No two faces intersect after any step. \
         `move` includes what drives the surface; `contacts`: steps in which something was resolved, and milliseconds of these; `whole`: \
         contacts for which the whole surface went to the host.\n",
        report.date,
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(
        text,
        "| scene | faces, mean | most | steps | move | improve | search | resolve | step | slowest | contacts | whole | in parts | million triangle-steps/s | others |"
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")?;
    for m in &all.scenes {
        writeln!(
            text,
            "| {} | {:.0} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {}, {:.2} | {} | {} | {:.2} | {} |",
            m.scene,
            m.mean_faces,
            m.most_faces,
            m.steps,
            m.move_ms,
            m.improve_ms,
            m.search_ms,
            m.resolve_ms,
            m.step_ms,
            m.slowest_ms,
            m.contacts,
            m.contact_ms,
            m.whole,
            m.in_parts,
            m.triangle_steps_per_second / 1e6,
            m.others
        )?;
    }
    let measured = all.scenes.iter().map(|m| (m.scene, m.mean_faces, m.most_faces, &m.phases));
    paper::table_1(&mut text, measured)?;
    if !all.compared.is_empty() {
        paper::table_2(&mut text, &all.compared, report.machine.threads)?;
    }
    let Some(many) = &all.hundred_spheres else { return Ok(text) };
    let Many { runs, finished, steps, seconds, longest, failures } = many;
    writeln!(
        text,
        "\nA hundred spheres, {runs} seeds, {steps} steps each: {finished} of {runs} runs finished, in {seconds:.1} s in all, the longest in \
         {longest:.1} s. {}",
        failures.join("; ")
    )?;
    Ok(text)
}
