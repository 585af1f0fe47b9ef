//! Prints what contacts of a scene cost and what volume they lose: a line for each step with a contact, and
//! the sums.
//!
//! `cargo run --release -p ribbonmesh-bench --example contacts -- jets SIZE STEPS`
use ribbonmesh::Device;
use ribbonmesh_grid::GridScene;
use ribbonmesh_particles::ParticleScene;
use ribbonmesh_track::{GridFreeReport, Method, Scene, SceneKind, TrackOptions, Tracker};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, size, steps] = &arguments[..] else { return Err("contacts SCENE SIZE STEPS".into()) };
    let (size, steps) = (Some(size.parse()?), steps.parse::<u64>()?);
    let mut scene = if let Ok(kind) = name.parse::<GridScene>() {
        kind.build(size, 0)?.scene
    } else if let Ok(kind) = name.parse::<ParticleScene>() {
        kind.scene(size, 0)?
    } else {
        Scene::new(name.parse::<SceneKind>()?, size, 0)?
    };
    let device = Device::auto();
    let options = TrackOptions { method: Method::GridFree, ..scene.options(&TrackOptions::default()) };
    let mut tracker = Tracker::new(&device, &scene.mesh, &options)?;
    for _ in 0..scene.settle {
        tracker.improve_only()?;
    }
    println!(
        "step faces pairs attempts joined filled cut added whole relaxed \
         | ms: step resolve necks delete fill exchange | volume"
    );
    let (mut all, mut contacts, mut lost, mut changed, mut seconds) =
        (GridFreeReport::default(), 0_u32, 0.0_f64, 0.0_f64, 0.0);
    let mut worst = [0.0_f64; 3];
    for step in 1..=steps {
        if tracker.is_empty() {
            break;
        }
        let start = Instant::now();
        let report = tracker.step(scene.dt, scene.flow.as_mut())?;
        device.synchronize()?;
        let took = start.elapsed().as_secs_f64();
        seconds += took;
        let Some(found) = report.grid_free else { continue };
        worst[0] = worst[0].max(took);
        if found.pairs == 0 && found.pinched == 0 {
            continue;
        }
        contacts += 1;
        let volume = report.mesh.map_or(1.0, |mesh| mesh.volume.abs().max(f64::MIN_POSITIVE));
        let change = found.volume_change / volume;
        (lost, changed) = (lost + (-change).max(0.0), changed + change.abs());
        worst[1] = worst[1].max(found.resolve_seconds);
        worst[2] = worst[2].max(found.fill_seconds);
        println!(
            "{step} {} {} {} {} {} {} {} {} {} | {:.1} {:.1} {:.1} {:.1} {:.1} {:.1} | {change:.2e}",
            report.mesh.map_or(0, |mesh| mesh.faces),
            found.pairs,
            found.attempts,
            found.joined,
            found.filled,
            found.faces_cut,
            found.faces_added,
            found.whole,
            found.relaxed,
            1e3 * took,
            1e3 * found.resolve_seconds,
            1e3 * found.relax_seconds,
            1e3 * found.delete_seconds,
            1e3 * found.fill_seconds,
            1e3 * found.exchange_seconds,
        );
        all.resolve_seconds += found.resolve_seconds;
        all.relax_seconds += found.relax_seconds;
        all.delete_seconds += found.delete_seconds;
        all.fill_seconds += found.fill_seconds;
        all.exchange_seconds += found.exchange_seconds;
        all.whole += found.whole;
        all.relaxed += found.relaxed;
    }
    let per = |seconds: f64| 1e3 * seconds / f64::from(contacts.max(1));
    println!(
        "{name}: {contacts} steps with contacts, {} whole, {} relaxed. ms of such a step: \
         resolve {:.2}, necks {:.2}, delete {:.2}, fill {:.2}, exchange {:.2}",
        all.whole,
        all.relaxed,
        per(all.resolve_seconds),
        per(all.relax_seconds),
        per(all.delete_seconds),
        per(all.fill_seconds),
        per(all.exchange_seconds)
    );
    println!(
        "{name}: {:.2} ms a step; worst step {:.1}, resolve {:.1}, fill {:.1}; \
         volume lost {lost:.3e}, changed {changed:.3e}, lost per contact {:.3e}",
        1e3 * seconds / steps as f64,
        1e3 * worst[0],
        1e3 * worst[1],
        1e3 * worst[2],
        lost / f64::from(contacts.max(1))
    );
    Ok(())
}
