//! Tests of surfaces that follow liquids: no intersections, the volume of the liquid, repeated steps.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, DeviceKind, Result, TriangleMesh};
use ribbonmesh_particles::{LiquidFlow, LiquidOptions, ParticleScene, SurfaceOptions};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_suite::{Checked, size, suite};
use ribbonmesh_track::{Flow, Method, Motion, Scene, TrackError, TrackOptions, Tracker, sphere};

fn options() -> TrackOptions {
    TrackOptions { method: Method::GridFree, validate: true, ..TrackOptions::default() }
}
fn begin(device: &Device, kind: ParticleScene, size: u32) -> (Scene, Tracker) {
    let scene = kind.scene(Some(size), 1).expect("a size");
    assert_eq!(scene.method, Method::GridFree);
    let mut tracker = Tracker::new(device, &scene.mesh, &scene.options(&options())).expect("closed");
    for _ in 0..scene.settle {
        tracker.improve_only().expect("improved");
    }
    tracker.begin_here().expect("measures");
    (scene, tracker)
}
/// Checks that the surface is closed, manifold and without intersections; returns it in the order of the
/// file.
fn checked(tracker: &mut Tracker) -> TriangleMesh {
    let mesh = tracker.download().expect("memory");
    let checked = Checked::new(mesh.points(), mesh.faces.clone());
    assert_eq!(checked.loops, 0);
    let device = Device::cpu();
    let positions = device.upload(&mesh.points()).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces }).expect("memory").pairs;
    assert_eq!(pairs.len(), 0);
    mesh
}
/// Makes steps of a scene; returns the faces at the beginning and at the end, and the least and the greatest
/// volume, as parts of the first.
fn run(device: &Device, kind: ParticleScene, across: u32, steps: u64) -> ([u64; 2], [f64; 2], TriangleMesh) {
    let (mut scene, mut tracker) = begin(device, kind, across);
    let before = tracker.measure().expect("measures");
    let (mut least, mut most, mut faces) = (1.0_f64, 1.0_f64, 0);
    for i in 1..=steps {
        let report = tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
        let volume = report.volume_drift.expect("closed") + 1.0;
        (least, most) = (least.min(volume), most.max(volume));
        faces = report.mesh.expect("measured").faces;
        if i % 20 == 0 {
            checked(&mut tracker);
        }
    }
    ([before.faces, faces], [least, most], checked(&mut tracker))
}
/// A ball with this many particles across, of radius 1, that spins and falls, with its surface.
fn ball(across: u32) -> (TriangleMesh, LiquidFlow, f64) {
    let spacing = 2.0 / across as f32;
    let mut places = vec![];
    for cell in 0..across.pow(3) {
        let cell = [cell % across, cell / across % across, cell / across / across];
        let p = spacing * Vec3::from_array(cell.map(|x| x as f32 + 0.5)) - Vec3::ONE;
        if p.length() < 1.0 {
            places.push(p);
        }
    }
    let velocities = places.iter().map(|p| Vec3::new(-p.y, p.x, 0.0) + 0.5 * Vec3::Z).collect();
    let options = LiquidOptions { substep: 0.3 * spacing, ..LiquidOptions::new(spacing) };
    let flow = LiquidFlow::new(places, velocities, &options, &SurfaceOptions::default()).expect("options");
    let mesh = sphere(ribbonmesh::glam::DVec3::ZERO, 1.0, (1.2 / spacing).round() as u32);
    (mesh, flow, f64::from(0.3 * spacing))
}
fn tracker(device: &Device, mesh: &TriangleMesh) -> Tracker {
    Tracker::new(device, mesh, &TrackOptions { improve: false, ..options() }).expect("closed")
}
fn bits(tracker: &mut Tracker) -> Vec<[u32; 3]> {
    let points = tracker.download().expect("memory").points();
    points.into_iter().map(|p| p.to_array().map(f32::to_bits)).collect()
}

/// A flow that makes each step twice, like a tracker that repeats steps.
struct Twice(LiquidFlow);
impl Flow for Twice {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        self.0.advance(motion)?;
        self.0.advance(motion)
    }
}

suite! {
    fn two_balls_collide(device) {
        let steps = size(80, 10);
        let ([before, after], [least, most], _) = run(device, ParticleScene::BallSplash, 16, steps);
        assert!(least > 0.8 && most < 1.15, "{least} {most}");
        assert!(before > 3000 && after > 2500, "{before} {after}");
    }
    fn a_ball_is_shot_through(device) {
        let ([before, after], [least, most], mesh) = run(device, ParticleScene::Balloon, 16, size(80, 8));
        assert!(least > 0.8 && most < 1.2, "{least} {most}");
        if !ribbonmesh_suite::sanitized() {
            assert!(after > before, "{before} {after}");
            // the ball, which is at 0.6, has taken liquid along
            let farthest = mesh.positions.iter().map(|p| p.x).fold(0.0, f64::max);
            assert!((0.3..0.65).contains(&farthest), "{farthest}");
        }
    }
    fn jets_rise_from_a_pool(device) {
        let ([_, _], [least, most], mesh) = run(device, ParticleScene::Fountain, 16, size(48, 5));
        assert!(least > 0.8 && most < 1.2, "{least} {most}");
        let highest = mesh.positions.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        let lowest = mesh.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > -0.05, "{lowest}");
        if !ribbonmesh_suite::sanitized() {
            // the pool is 0.2 deep
            assert!(highest > 0.3, "{highest}");
        }
    }
    fn a_ball_keeps_its_surface(device) {
        let (mesh, mut flow, dt) = ball(12);
        let mut tracker = Tracker::new(device, &mesh, &options()).expect("closed");
        for _ in 0..10 {
            tracker.step(dt, &mut flow).expect("a step");
        }
        let t = tracker.time();
        let mesh = checked(&mut tracker);
        let points = mesh.points();
        let middle = points.iter().sum::<Vec3>() / points.len() as f32;
        let fallen = Vec3::new(0.0, -4.905 * (t * t) as f32, 0.5 * t as f32);
        assert!(middle.distance(fallen) < 0.02, "{middle} {fallen}");
        // vertices are where the field has the value of the surface
        let values = flow.liquid().expect("running").field(&points).expect("memory");
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        assert!((mean - 0.45).abs() < 0.03, "{mean}");
        assert!(values.iter().all(|value| (0.25..0.7).contains(value)));
    }
    fn steps_can_be_made_again(device) {
        let (mesh, mut once, dt) = ball(10);
        let (_, twice, _) = ball(10);
        let mut twice = Twice(twice);
        let mut trackers = [tracker(device, &mesh), tracker(device, &mesh)];
        for _ in 0..3 {
            trackers[0].step(dt, &mut once).expect("a step");
            trackers[1].step(dt, &mut twice).expect("a step");
            let [a, b] = &mut trackers;
            assert!(bits(a) == bits(b));
        }
        // a whole step, then the same in four parts, twice: the result is that of the parts alone
        let (_, mut fresh, _) = ball(10);
        let (_, mut flow, _) = ball(10);
        let in_parts = |flow: &mut LiquidFlow| {
            let mut tracker = tracker(device, &mesh);
            (0..4).for_each(|_| drop(tracker.step(dt / 4.0, flow).expect("a step")));
            bits(&mut tracker)
        };
        let expected = in_parts(&mut fresh);
        tracker(device, &mesh).step(dt, &mut flow).expect("a step");
        assert!(in_parts(&mut flow) == expected);
        assert!(flow.may_repeat());
        // the step is complete: an earlier time is refused
        let mut tracker = tracker(device, &mesh);
        tracker.step(dt, &mut flow).expect("again");
        tracker.step(dt, &mut flow).expect("the next one");
        let error = self::tracker(device, &mesh).step(dt, &mut flow).expect_err("gone");
        assert!(error.to_string().contains("time"), "{error}");
    }
    fn a_run_goes_on(device) {
        let (mesh, mut flow, dt) = ball(10);
        let mut first = tracker(device, &mesh);
        for _ in 0..3 {
            first.step(dt, &mut flow).expect("a step");
        }
        let (saved, progress) = (first.download().expect("memory"), first.progress());
        let given = TrackOptions { improve: false, ..options() };
        let mut second = Tracker::resume(device, &saved, &given, &progress).expect("its own");
        let (_, mut fresh, _) = ball(10);
        first.step(dt, &mut flow).expect("a step");
        second.step(dt, &mut fresh).expect("a step");
        let [a, b] = [&mut first, &mut second].map(|tracker| tracker.download().expect("memory").points());
        // the order of faces around vertices differs
        assert!(a.iter().zip(&b).all(|(p, q)| p.distance(*q) < 1e-4));
    }
    fn the_same_surface_twice(device) {
        let end = |device: &Device| {
            let (mut scene, mut tracker) = begin(device, ParticleScene::BallSplash, 10);
            for _ in 0..size(30, 3) {
                tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
            }
            bits(&mut tracker)
        };
        // on a GPU new vertices get their ids in an order that may differ
        if device.kind() == DeviceKind::Cpu {
            let first = end(device);
            assert!(first == end(device));
            assert!(first == end(&Device::cpu_with_threads(1).expect("a thread")));
        }
    }
    fn bad_particles_change_nothing(device) {
        let (mesh, _, dt) = ball(8);
        let mut tracker = tracker(device, &mesh);
        let before = bits(&mut tracker);
        let places = vec![Vec3::ZERO, Vec3::NAN];
        let options = LiquidOptions::new(0.1);
        let mut flow =
            LiquidFlow::new(places, vec![Vec3::ZERO; 2], &options, &SurfaceOptions::default()).expect("options");
        let error = tracker.step(dt, &mut flow).expect_err("not finite");
        assert!(error.to_string().contains("particles"), "{error}");
        let (_, mut flow, _) = ball(8);
        let error = tracker.step(-dt, &mut flow).expect_err("back in time");
        assert!(error.to_string().contains("time step"), "{error}");
        // without particles the surface falls, and stays together
        let mut none = LiquidFlow::new(vec![], vec![], &options, &SurfaceOptions { draw: 0.0, relax: 0.0, ..Default::default() })
            .expect("options");
        assert!(bits(&mut tracker) == before);
        match tracker.step(dt, &mut none) {
            Ok(report) => assert!(report.mesh.is_some_and(|mesh| mesh.faces as usize == before.len() * 2 - 4)),
            Err(error) => assert!(matches!(error, TrackError::TooFar { .. }), "{error}"),
        }
    }
}
