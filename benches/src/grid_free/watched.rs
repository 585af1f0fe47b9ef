//! A scene in a browser: `ribbonmesh-bench tracking --scenes jets --serve`.
use super::{RUNS, begin};
use crate::options::Options;
use anyhow::{Context, Result, bail};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_render::Up;
use ribbonmesh_serve::{Live, Moment, Server};
use std::time::Duration;

/// Cells, particles or parts of scenes on a CPU, relative to those on a GPU.
const PART_ON_CPU: u32 = 4;

/// Shows the steps of a scene, then its end, until the program is ended. A client may pause and step it.
/// # Errors
/// No scene, or more than one; a step that fails.
pub fn serve(device: &Device, options: &Options) -> Result<()> {
    let [name] = &options.scenes[..] else { bail!("--serve shows one scene, that of --scenes") };
    let run = RUNS.iter().find(|run| run.scene == name).with_context(|| {
        let mut names: Vec<_> = RUNS.iter().map(|run| run.scene).collect();
        names.dedup();
        format!("no scene has the name {name:?}; scenes are {}", names.join(", "))
    })?;
    let size = match device.kind() {
        DeviceKind::Cpu if run.on_cpu.is_none() => run.size / PART_ON_CPU,
        _ => run.size,
    };
    let mut scene = (run.begin)(size, options.seed)?;
    let mut tracker = begin(device, &scene)?;
    let mut server = Server::bind(ribbonmesh_serve::Options::default())?;
    println!("{}", server.url());
    let mut live = Live::new(tracker.device(), run.scene, Up::Y)?;
    for step in 0..=scene.steps {
        let (positions, faces) = tracker.triangles()?;
        let moment = Moment::at(tracker.time()).around(tracker.origin());
        live.update(moment.positions(positions).faces(faces))?;
        live.wait_for_turn(&mut server)?;
        if step < scene.steps && !tracker.is_empty() {
            tracker.step(scene.dt, scene.flow.as_mut())?;
        }
    }
    live.end();
    loop {
        server.poll(&mut live, Duration::from_secs(1));
    }
}
