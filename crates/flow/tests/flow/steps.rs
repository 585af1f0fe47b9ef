//! Steps: advection, forces, reports.
use crate::support::{WALLS, all, index, obstacle, options, sphere};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_flow::{Advection, Flow, FlowOptions, Motion, Side};
use ribbonmesh_suite::suite;

const THROUGH: [[Side; 2]; 3] = [[Side::Inflow, Side::Outflow], WALLS[1], WALLS[2]];

/// Smoke of a Gaussian.
fn puff(n: [u32; 3], centre: DVec3, width: f64) -> Vec<f32> {
    let of = |at: [u32; 3]| {
        let p = (DVec3::from_array(at.map(f64::from)) + 0.5) / f64::from(n[0]);
        let q = DVec3::new(p.x - centre.x, p.y - centre.y, 0.0) / width;
        (-q.length_squared()).exp() as f32
    };
    all(n).map(of).collect()
}
fn moving(device: &Device) -> Flow {
    let motion = Motion { velocity: [0.3, 0.1, 0.0], centre: [0.4, 0.3, 0.3], turn: [0.0, 1.0, 2.0] };
    let sphere = sphere(DVec3::new(0.4, 0.3, 0.3), 0.15);
    let options = FlowOptions {
        cells: [20, 12, 12],
        edge: 0.05,
        lift: [0.0, 2.0, 0.0],
        source: Some([[0.1, 0.4, 0.4], [0.0, 0.2, 0.2]]),
        ..options([20, 12, 12], THROUGH)
    };
    Flow::new(device, &options, Some(obstacle(device, &sphere, motion))).expect("a flow")
}
fn words(flow: &Flow) -> Vec<u32> {
    let all = [flow.faces(), flow.smoke(), flow.pressure()].map(|buffer| buffer.read().expect("memory"));
    all.concat().into_iter().map(f32::to_bits).collect()
}

suite! {
    fn smoke_goes_with_an_even_flow(device) {
        let n = [32, 16, 1];
        let before = puff(n, DVec3::new(0.3, 0.25, 0.0), 0.1);
        for advection in [Advection::MacCormack, Advection::SemiLagrangian] {
            let options = FlowOptions { advection, ..options(n, THROUGH) };
            let mut flow = Flow::new(device, &options, None).expect("a flow");
            flow.set_smoke(&before).expect("as many");
            for _ in 0..5 {
                // a cell
                flow.step(1.0 / 32.0).expect("a step");
            }
            let found = flow.smoke().read().expect("memory");
            for at in all(n).filter(|at| at[0] >= 5) {
                let from = before[index(n, [at[0] - 5, at[1], at[2]])];
                assert!((found[index(n, at)] - from).abs() < 1e-4, "{at:?}");
            }
        }
    }
    fn the_correction_keeps_more_of_smoke(device) {
        let n = [48, 24, 1];
        let end = puff(n, DVec3::new(0.55, 0.25, 0.0), 0.06);
        let error = |advection| {
            let options = FlowOptions { advection, ..options(n, THROUGH) };
            let mut flow = Flow::new(device, &options, None).expect("a flow");
            flow.set_smoke(&puff(n, DVec3::new(0.25, 0.25, 0.0), 0.06)).expect("as many");
            for _ in 0..30 {
                flow.step(0.01).expect("a step");
            }
            let found = flow.smoke().read().expect("memory");
            assert!(found.iter().all(|smoke| (-1e-6..=1.0 + 1e-6).contains(smoke)));
            found.iter().zip(&end).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt()
        };
        let (with, without) = (error(Advection::MacCormack), error(Advection::SemiLagrangian));
        println!("{with} {without}");
        assert!(1.5 * with < without, "{with} {without}");
    }
    fn light_smoke_rises(device) {
        let n = [24, 24, 1];
        let options = FlowOptions { inflow: [0.0; 3], lift: [0.0, 5.0, 0.0], ..options(n, WALLS) };
        let mut flow = Flow::new(device, &options, None).expect("a flow");
        let smoke = puff(n, DVec3::new(0.5, 0.3, 0.0), 0.1);
        flow.set_smoke(&smoke).expect("as many");
        let height = |smoke: &[f32]| {
            let of = |at: [u32; 3], s: &f32| f64::from(*s) * f64::from(at[1]);
            let moment: f64 = all(n).zip(smoke).map(|(at, s)| of(at, s)).sum();
            moment / smoke.iter().map(|s| f64::from(*s)).sum::<f64>()
        };
        for _ in 0..15 {
            flow.step(0.02).expect("a step");
        }
        let after = flow.smoke().read().expect("memory");
        assert!(height(&after) > height(&smoke) + 1.0, "{} {}", height(&smoke), height(&after));
    }
    fn all_stays_finite_and_reports_add_up(device) {
        let mut flow = moving(device);
        let mut iterations = 0;
        for _ in 0..8 {
            iterations += u64::from(flow.step(0.04).expect("a step").iterations);
        }
        let report = flow.report();
        assert_eq!((report.steps, report.unconverged, report.iterations), (8, 0, iterations));
        assert!(report.most_iterations > 0 && report.residual < 1e-6 && report.seconds.pressure == 0.0);
        assert!((flow.time() - 0.32).abs() < 1e-12);
        let speed = flow.speed().expect("finite");
        assert!((0.5..5.0).contains(&speed), "{speed}");
        let smoke = flow.smoke().read().expect("memory");
        assert!(smoke.iter().all(|smoke| (0.0..=1.0).contains(smoke)));
        assert!(smoke.iter().sum::<f32>() > 50.0);
        let [u, v] = [flow.middles().expect("memory").read().expect("memory"), vec![[0.0; 3]; smoke.len()]];
        assert!(u.len() == v.len() && u.iter().flatten().all(|u| u.abs() <= speed));
    }
    fn the_same_in_every_run(device) {
        let run = || {
            let mut flow = moving(device);
            for _ in 0..3 {
                flow.step(0.04).expect("a step");
            }
            words(&flow)
        };
        assert!(run() == run());
    }
    fn parts_of_steps_are_measured(device) {
        let options = FlowOptions { measure: true, ..options([16, 8, 8], THROUGH) };
        let mut flow = Flow::new(device, &options, None).expect("a flow");
        flow.step(0.05).expect("a step");
        let seconds = flow.report().seconds;
        for part in [seconds.advect, seconds.pressure, seconds.project, seconds.smoke] {
            assert!(part > 0.0 && part < 10.0, "{seconds:?}");
        }
    }
}
