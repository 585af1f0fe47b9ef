//! Motion: free fall, vibration, and the energy that implicit Euler loses.
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_fem::elasticity::{ElasticityError, Moment, MotionOptions, Problem, Support, simulate};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::shapes;
use ribbonmesh_volume_io::VolumeData;

fn block(n: [u32; 3], size: Vec3) -> VolumeData {
    let (mut x, cells) = shapes::kuhn_grid(n).expect("a size");
    let by = size / Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32);
    x.iter_mut().for_each(|x| *x *= by);
    VolumeData::from_f32(&x, cells)
}
fn held(text: &str, values: [Option<f64>; 3]) -> Support {
    Support { at: text.parse().expect(text), values }
}
fn run(device: &Device, volume: &VolumeData, problem: &Problem, options: &MotionOptions) -> Vec<Moment> {
    let mut all = vec![];
    simulate(device, volume, problem, options, |moment| -> Result<(), ElasticityError> {
        assert!(moment.converged, "{moment:?}");
        all.push(moment);
        Ok(())
    })
    .expect("a motion");
    assert_eq!(all.len() as u64, options.steps + 1);
    all
}

suite! {
    /// A body that nothing holds falls as a point does, by the sums of implicit Euler, and flies with its
    /// velocity.
    fn a_free_body_falls(device) {
        let volume = block([3, 2, 2], Vec3::new(1.5, 1.0, 1.0));
        let (g, v, h) = (DVec3::new(0.0, 0.0, -9.81), DVec3::new(2.0, 0.0, 1.0), 0.02);
        let problem = Problem { young: 50.0, density: 3.0, gravity: g, ..Problem::default() };
        let options = MotionOptions { time_step: h, steps: 12, velocity: v, ..MotionOptions::default() };
        for moment in run(device, &volume, &problem, &options) {
            let n = moment.step as f64;
            let way = h * n * v + g * h * h * 0.5 * n * (n + 1.0);
            for (u, speed) in moment.displacement.iter().zip(&moment.velocity) {
                assert!((*u - way).length() < 1e-8, "{u}, not {way}");
                assert!((*speed - (v + g * (h * n))).length() < 1e-7, "{speed}");
            }
            let mass = 3.0 * 1.5;
            let energy = 0.5 * mass * (v + g * (h * n)).length_squared();
            assert!((moment.kinetic_energy - energy).abs() < 1e-7 * energy, "{moment:?}");
            assert!(moment.strain_energy.abs() < 1e-9 && (moment.work - mass * g.dot(way)).abs() < 1e-7);
        }
    }
    /// The energy of a bar that swings never rises, with gravity and without.
    fn energy_decays(device) {
        let volume = block([3, 1, 1], Vec3::new(3.0, 1.0, 1.0));
        for gravity in [DVec3::ZERO, DVec3::new(0.0, 0.0, -1.0)] {
            let problem = Problem {
                young: 100.0,
                gravity,
                supports: vec![held("min-x", [Some(0.0); 3])],
                ..Problem::default()
            };
            let velocity = DVec3::new(0.0, 2.0, 3.0);
            let options = MotionOptions { time_step: 0.05, steps: 25, velocity, ..MotionOptions::default() };
            let all = run(device, &volume, &problem, &options);
            let energy = |m: &Moment| m.kinetic_energy + m.strain_energy - m.work;
            let first = energy(&all[0]);
            assert!(first > 1.0 && all.iter().any(|m| m.strain_energy > 0.2 * first), "{first}");
            for pair in all.windows(2) {
                assert!(energy(&pair[1]) <= energy(&pair[0]) + 1e-6 * first, "{pair:?}");
            }
            assert!(all[0].displacement.iter().all(|u| *u == DVec3::ZERO));
        }
    }
    /// The lowest frequency of a bar along its axis: a quarter of the speed of sound by the length.
    fn a_bar_vibrates(device) {
        let volume = block([8, 1, 1], Vec3::new(6.0, 0.5, 0.5));
        let problem = Problem {
            young: 100.0,
            poisson: 0.0,
            density: 4.0,
            supports: vec![held("min-x", [Some(0.0); 3])],
            ..Problem::default()
        };
        // sound has a speed of 5: a period of 4.8 seconds
        let period = 4.0 * 6.0 / 5.0;
        let h = period / 60.0;
        let options = MotionOptions {
            time_step: h,
            steps: 100,
            velocity: DVec3::new(0.01, 0.0, 0.0),
            ..MotionOptions::default()
        };
        let all = run(device, &volume, &problem, &options);
        let tip = volume.positions.iter().position(|x| *x == DVec3::new(6.0, 0.5, 0.5)).expect("a corner");
        let at: Vec<f64> = all.iter().map(|m| m.displacement[tip].x).collect();
        let roots: Vec<f64> = (1..at.len() - 1)
            .filter(|&i| at[i] * at[i + 1] < 0.0)
            .map(|i| h * (i as f64 + at[i] / (at[i] - at[i + 1])))
            .collect();
        assert!(roots.len() >= 2, "{at:?}");
        assert!((2.0 * (roots[1] - roots[0]) / period - 1.0).abs() < 0.03, "{roots:?}");
    }
    /// A side that is moved goes evenly, and is there at the end.
    fn supports_move_evenly(device) {
        let volume = block([4, 2, 2], Vec3::new(2.0, 1.0, 1.0));
        let problem = Problem {
            young: 100.0,
            supports: vec![
                held("min-x", [Some(0.0); 3]),
                held("max-x", [Some(1.0), Some(0.5), Some(0.0)]),
            ],
            ..Problem::default()
        };
        let options = MotionOptions { time_step: 0.1, steps: 8, ..MotionOptions::default() };
        for moment in run(device, &volume, &problem, &options) {
            let part = moment.step as f64 / 8.0;
            for (x, u) in volume.positions.iter().zip(&moment.displacement) {
                let goal = if x.x > 1.99 { DVec3::new(1.0, 0.5, 0.0) } else { DVec3::ZERO };
                assert!(x.x > 0.01 && x.x < 1.99 || (goal * part - *u).length() < 1e-12, "{x}: {u}");
            }
        }
    }
    fn motions_that_there_are_not(device) {
        let volume = block([1; 3], Vec3::splat(1.0));
        let refused = |problem: &Problem, options: &MotionOptions| {
            simulate(device, &volume, problem, options, |_| -> Result<(), ElasticityError> { Ok(()) })
                .expect_err("an error")
                .to_string()
        };
        let (problem, options) = (Problem::default(), MotionOptions::default());
        let still = MotionOptions { time_step: 0.0, ..options };
        assert!(refused(&problem, &still).contains("time step is 0"));
        let light = Problem { density: 0.0, ..Problem::default() };
        assert!(refused(&light, &options).contains("density is 0"));
    }
}
