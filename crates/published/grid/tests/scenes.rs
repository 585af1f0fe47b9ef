//! Tests of surfaces that a liquid moves.
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, Error, TriangleMesh};
use ribbonmesh_grid::{Built, GridFlow, GridOptions, GridScene};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_suite::{Checked, size, suite};
use ribbonmesh_track::{Flow, Method, TrackError, TrackOptions, Tracker};

fn begin(device: &Device, scene: GridScene, size: u32, method: Method) -> (Built, Tracker) {
    let built = scene.build(Some(size), 1).expect("a size");
    let given = TrackOptions { method, ..TrackOptions::default() };
    let tracker = Tracker::new(device, &built.scene.mesh, &built.scene.options(&given)).expect("closed");
    (built, tracker)
}
/// Checks that the surface is closed, manifold, without intersections, and in the box but for the effect of
/// splitting and smoothing after the motion.
fn checked(tracker: &mut Tracker) -> (TriangleMesh, Checked) {
    let mesh = tracker.download().expect("memory");
    let checked = Checked::new(mesh.points(), mesh.faces.clone());
    assert_eq!(checked.loops, 0);
    let device = Device::cpu();
    let positions = device.upload(&mesh.points()).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces }).expect("memory").pairs;
    assert_eq!(pairs.len(), 0);
    for p in &mesh.positions {
        let out = (*p - DVec3::new(1.5, 1.0, 1.0)).max(-*p).max_element();
        assert!(out < 0.0125, "{p}");
    }
    (mesh, checked)
}
/// Makes steps by the scene's method, checked on the way. Returns the volume at the end, as a part of that at
/// the beginning.
fn run(device: &Device, scene: GridScene, cells: u32, steps: u64) -> (Built, Tracker, f64) {
    let (mut built, mut tracker) = begin(device, scene, cells, Method::GridFree);
    let initial = tracker.initial_volume().expect("closed");
    let mut volume = initial;
    for i in 1..=steps {
        let report = tracker.step(built.scene.dt, built.scene.flow.as_mut()).expect("a step");
        volume = report.mesh.expect("measured").volume;
        if i % 25 == 0 || i == steps {
            checked(&mut tracker);
        }
    }
    assert_eq!(built.report.get().unconverged, 0);
    (built, tracker, volume / initial)
}
fn positions(tracker: &mut Tracker) -> Vec<[f64; 3]> {
    tracker.download().expect("memory").positions.iter().map(|p| p.to_array()).collect()
}

suite! {
    fn jets_collide(device) {
        let steps = size(70, 5);
        let (built, mut tracker, volume) = run(device, GridScene::Jets, 20, steps);
        assert!((0.9..1.1).contains(&volume), "{volume}");
        if steps == 70 {
            let (mesh, found) = checked(&mut tracker);
            // one sheet, across the path of the jets
            assert!(found.components <= 4, "{found:?}");
            let size = |axis: usize| {
                let along = mesh.positions.iter().map(|p| p[axis]);
                along.clone().fold(0.0, f64::max) - along.fold(2.0, f64::min)
            };
            assert!(size(1) > 0.4 && size(2) > 0.5, "{} {}", size(1), size(2));
            assert!(mesh.faces.len() > 2 * built.scene.mesh.faces.len(), "{}", mesh.faces.len());
        }
    }
    fn a_dam_breaks(device) {
        let (_, mut tracker, volume) = run(device, GridScene::DamBreak, 16, size(80, 5));
        assert!((0.9..1.1).contains(&volume), "{volume}");
        let (mesh, _) = checked(&mut tracker);
        let highest = mesh.positions.iter().map(|p| p.y).fold(0.0, f64::max);
        assert!(highest < 0.62, "{highest}");
    }
    fn a_repeated_step_begins_where_it_began(device) {
        let (mut built, mut tracker) = begin(device, GridScene::Jets, 16, Method::Improve);
        let (dt, flow) = (4.0 * built.scene.dt, built.scene.flow.as_mut());
        assert!(flow.may_repeat());
        tracker.step(dt, flow).expect("a step");
        let (once, report) = (positions(&mut tracker), built.report.get());
        let mesh = &built.scene.mesh;
        let new = || Tracker::new(device, mesh, &TrackOptions { length: built.scene.length, ..TrackOptions::default() });
        // a step in two parts: the second does not begin at the start of a step
        let mut parts = new().expect("closed");
        parts.step(0.5 * dt, flow).expect("a step");
        parts.step(0.5 * dt, flow).expect("a step");
        assert!(positions(&mut parts) != once);
        let mut again = new().expect("closed");
        again.step(dt, flow).expect("a step");
        assert!(positions(&mut again) == once);
        assert_eq!(built.report.get(), report);
        // a later step ends the one before
        again.step(dt, flow).expect("a step");
        let error = new().expect("closed").step(dt, flow).expect_err("too late");
        assert!(matches!(error, TrackError::Library(Error::Option { option: "time", .. })), "{error}");
    }
    fn a_resumed_surface_finds_its_liquid(device) {
        let (mut built, mut tracker) = begin(device, GridScene::DamBreak, 16, Method::GridFree);
        for _ in 0..3 {
            tracker.step(built.scene.dt, built.scene.flow.as_mut()).expect("a step");
        }
        let (mesh, progress) = (tracker.download().expect("memory"), tracker.progress());
        let (mut other, _) = begin(device, GridScene::DamBreak, 16, Method::GridFree);
        let given = TrackOptions { method: Method::GridFree, ..TrackOptions::default() };
        let mut resumed =
            Tracker::resume(device, &mesh, &other.scene.options(&given), &progress).expect("its own");
        tracker.step(built.scene.dt, built.scene.flow.as_mut()).expect("a step");
        resumed.step(other.scene.dt, other.scene.flow.as_mut()).expect("a step");
        let [a, b] = [&mut tracker, &mut resumed].map(|tracker| tracker.measure().expect("measured"));
        assert!(a.faces.abs_diff(b.faces) < 20 && (a.volume / b.volume - 1.0).abs() < 1e-5, "{a:?} {b:?}");
        let [a, b] = [&built, &other].map(|built| built.report.get());
        assert_eq!((a.substeps, a.iterations), (b.substeps, b.iterations));
    }
    fn the_same_surface_in_every_run(device) {
        let run = || {
            let (mut built, mut tracker) = begin(device, GridScene::Jets, 16, Method::Improve);
            for _ in 0..3 {
                tracker.step(built.scene.dt, built.scene.flow.as_mut()).expect("a step");
            }
            (positions(&mut tracker), built.report.get())
        };
        assert!(run() == run());
    }
}

#[test]
fn names_and_sizes() {
    for (scene, name) in GridScene::ALL {
        assert_eq!((scene.to_string().as_str(), name.parse()), (name, Ok(scene)));
        for size in [0, 11, 641] {
            let error = scene.build(Some(size), 0).map(drop).expect_err("refused");
            assert!(matches!(error, Error::Option { option: "size", .. }), "{error}");
        }
        let [a, b] = [16, 32].map(|size| scene.build(Some(size), 0).expect("a size").scene.mesh);
        assert!(a.is_closed() && b.faces.len() > 3 * a.faces.len());
    }
    let error = "waterfall".parse::<GridScene>().expect_err("unknown");
    assert!(error.contains("jets, dam-break"), "{error}");
}

#[test]
fn refused() {
    let flow = |options, dt| GridFlow::new(options, vec![], vec![], dt).map(drop).expect_err("refused");
    let error = flow(GridOptions { flip: 2.0, ..GridOptions::default() }, 0.1);
    assert!(matches!(error, Error::Option { option: "flip", .. }), "{error}");
    for dt in [0.0, -1.0, f64::NAN] {
        let error = flow(GridOptions::default(), dt);
        assert!(matches!(error, Error::Option { option: "time step", .. }), "{error}");
    }
    // particles are checked in the first step
    let built = GridScene::DamBreak.build(Some(16), 0).expect("a size");
    let options = GridOptions { cells: [24, 16, 16], edge: 1.0 / 16.0, ..GridOptions::default() };
    let mut flow = GridFlow::new(options, vec![Vec3::NAN], vec![Vec3::ZERO], 0.01).expect("options");
    let mut tracker =
        Tracker::new(&Device::cpu(), &built.scene.mesh, &TrackOptions::default()).expect("closed");
    let error = tracker.step(0.01, &mut flow).expect_err("not a number");
    assert!(matches!(error, TrackError::Library(Error::PointNotFinite { point: 0 })), "{error}");
    assert!(flow.liquid().is_none());
}
