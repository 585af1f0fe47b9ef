//! Times of steps of smoke past a sphere, and past a cylinder in two dimensions: `smoke [parts of the size]`.
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::mesh::shapes;
use ribbonmesh_flow::{Advection, Flow, FlowOptions, Method, Motion, Obstacle, PoissonOptions, Result, Side};
use std::time::Instant;

/// Steps before the measured ones, and these.
const STEPS: [usize; 2] = [10, 20];

/// A flow with these cells past a sphere of an eighth of the first length of the box.
fn flow(device: &Device, options: &FlowOptions, motion: Motion) -> Result<Flow> {
    let size = options.cells.map(|n| f64::from(n) * f64::from(options.edge));
    let centre = DVec3::new(0.5 * size[0], 0.25 * size[1], 0.5 * size[2]);
    let mut sphere = shapes::icosphere(5).expect("small");
    sphere.positions.iter_mut().for_each(|p| *p = centre + 0.125 * size[0] * *p);
    let positions: Vec<Vec3> = sphere.points();
    Flow::new(device, options, Some(Obstacle::new(device, &positions, &sphere.faces, motion)?))
}
fn measure(device: &Device, name: &str, options: &FlowOptions, motion: Motion) -> Result<()> {
    let start = Instant::now();
    let mut flow = flow(device, options, motion)?;
    device.synchronize()?;
    let begin = start.elapsed().as_secs_f64();
    let dt = f64::from(options.edge);
    for _ in 0..STEPS[0] {
        flow.step(dt)?;
    }
    device.synchronize()?;
    let (before, start) = (flow.report(), Instant::now());
    for _ in 0..STEPS[1] {
        flow.step(dt)?;
    }
    device.synchronize()?;
    let (report, steps) = (flow.report(), STEPS[1] as f64);
    let ms = 1e3 * start.elapsed().as_secs_f64() / steps;
    let iterations = (report.iterations - before.iterations) as f64 / steps;
    print!("{name}: {ms:.3} ms a step, {iterations:.1} iterations, begun in {begin:.3} s");
    print!(", leak {:.1e}, speed {:.2}, unconverged {}", flow.leak()?, flow.speed()?, report.unconverged);
    if options.measure {
        let (now, then) = (report.seconds, before.seconds);
        let part = |a: f64, b: f64| 1e3 * (a - b) / steps;
        print!(
            "; ms: velocities {:.3}, mesh {:.3}, pressure {:.3}, projection {:.3}, smoke {:.3}",
            part(now.advect, then.advect),
            part(now.geometry, then.geometry),
            part(now.pressure, then.pressure),
            part(now.project, then.project),
            part(now.smoke, then.smoke)
        );
    }
    println!();
    Ok(())
}

fn main() -> Result<()> {
    let part: u32 = std::env::args().nth(1).and_then(|part| part.parse().ok()).unwrap_or(1).max(1);
    let device = Device::auto();
    println!("{}", device.name());
    let solids = [256, 512, 256].map(|n| (n / part).max(8));
    let flat = [(1024 / part).max(8), (1024 / part).max(8), 1];
    let still = Motion::default();
    for (name, cells) in [("sphere", solids), ("flat", flat)] {
        let wall = [Side::Wall; 2];
        let edge = 1.0 / cells[0] as f32;
        let usual = FlowOptions {
            cells,
            edge,
            sides: [wall, [Side::Inflow, Side::Outflow], wall],
            inflow: [0.0, 1.0, 0.0],
            source: Some([[0.4, 0.0, 0.0], [0.6, 2.0 * edge, 1.0]]),
            ..FlowOptions::default()
        };
        let label = |what: &str| format!("{name} {cells:?} {what}");
        measure(&device, &label("usual"), &usual, still)?;
        measure(&device, &label("measured"), &FlowOptions { measure: true, ..usual.clone() }, still)?;
        for sweeps in [[1, 1], [2, 2]] {
            let pressure = PoissonOptions { sweeps, ..usual.pressure };
            measure(
                &device,
                &label(&format!("sweeps {sweeps:?}")),
                &FlowOptions { pressure, ..usual.clone() },
                still,
            )?;
        }
        for look in [1, 2] {
            let pressure = PoissonOptions { look, ..usual.pressure };
            measure(
                &device,
                &label(&format!("look {look}")),
                &FlowOptions { pressure, ..usual.clone() },
                still,
            )?;
        }
        let pressure = PoissonOptions { method: Method::Cycles, ..usual.pressure };
        measure(&device, &label("cycles"), &FlowOptions { pressure, ..usual.clone() }, still)?;
        let advection = Advection::SemiLagrangian;
        measure(&device, &label("semi-Lagrangian"), &FlowOptions { advection, ..usual.clone() }, still)?;
        let motion = Motion { velocity: [0.0, 0.2, 0.0], ..still };
        let measured = FlowOptions { measure: true, ..usual.clone() };
        measure(&device, &label("moving"), &measured, motion)?;
    }
    Ok(())
}
