//! Tests of prevented collisions: no two faces intersect after any step.
use ribbonmesh::device::Vec3;
use ribbonmesh::dynamic::DynamicAttribute;
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Buffer, Device, Error, TriangleMesh, Vertex};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_suite::{size, suite};
use ribbonmesh_track::{
    CollisionReport, Computed, Given, Method, Scene, SceneKind, StepReport, TrackError, TrackOptions, Tracker,
};

fn options() -> TrackOptions {
    TrackOptions { collisions: true, validate: true, ..TrackOptions::default() }
}
/// The number of pairs of faces that intersect.
fn pairs(mesh: &TriangleMesh) -> usize {
    let device = Device::cpu();
    let positions = device.upload(&mesh.points()).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    self_intersections(Triangles { positions: &positions, faces: &faces }).expect("memory").pairs.len()
}
fn add(sums: &mut CollisionReport, report: &StepReport) {
    let found = report.collisions.expect("the option");
    sums.collisions += found.collisions;
    sums.undone += found.undone;
    sums.left_out += found.left_out;
    sums.stopped += found.stopped;
}
/// Makes some steps of a scene, and checks the guarantee after each.
fn run(
    device: &Device,
    (kind, parts): (SceneKind, u32),
    steps: u64,
    given: &TrackOptions,
) -> CollisionReport {
    let mut scene = Scene::new(kind, Some(parts), 1).expect("a size");
    let mut tracker = Tracker::new(device, &scene.mesh, &scene.options(given)).expect("no intersections");
    let mut sums = CollisionReport::default();
    for step in 0..steps {
        let report = tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
        add(&mut sums, &report);
        let mesh = tracker.download().expect("memory");
        assert_eq!(pairs(&mesh), 0, "{kind:?}, step {step}: {report:?}");
    }
    sums
}
/// The number of pairs that intersect after the same number of steps without prevention.
fn without(device: &Device, (kind, parts): (SceneKind, u32), steps: u64) -> usize {
    let mut scene = Scene::new(kind, Some(parts), 1).expect("a size");
    let options = scene.options(&TrackOptions::default());
    let mut tracker = Tracker::new(device, &scene.mesh, &options).expect("a manifold");
    for _ in 0..steps {
        tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
    }
    pairs(&tracker.download().expect("memory"))
}
/// Makes one step by velocities that depend on the positions of vertices.
fn one_step(
    device: &Device,
    mesh: &TriangleMesh,
    given: &TrackOptions,
    way: impl Fn(Vec3) -> Vec3,
) -> Result<(StepReport, TriangleMesh), TrackError> {
    let mut tracker = Tracker::new(device, mesh, given)?;
    let x = tracker.download()?.points();
    let ways: Vec<Vec3> = x.into_iter().map(way).collect();
    let velocities = DynamicAttribute::<Vertex, Vec3>::from_ids(tracker.mesh(), &ways).expect("as many");
    let report = tracker.step(1.0, &mut Given(&velocities))?;
    Ok((report, tracker.download()?))
}

suite! {
    fn two_spheres_stay_apart(device) {
        let scene = (SceneKind::TwoSpheres, 3);
        let steps = size(120, 60);
        assert!(without(device, scene, steps) > 0);
        let sums = run(device, scene, steps, &options());
        assert!(sums.collisions > 0, "{sums:?}");
    }
    fn curl_noise_on_a_sphere(device) {
        let sums = run(device, (SceneKind::CurlNoiseSphere, 3), size(80, 10), &options());
        assert_eq!(sums.left_out, 0, "{sums:?}");
    }
    fn tangled(device) {
        assert!(size(120, 10) < 120 || without(device, (SceneKind::Tangled, 2), 120) > 0);
        run(device, (SceneKind::Tangled, 2), size(120, 10), &options());
    }
    fn a_sheet_with_boundary(device) {
        for ranks in [true, false] {
            let given = TrackOptions { ranks, ..options() };
            run(device, (SceneKind::CurlNoise, 14), size(100, 10), &given);
        }
    }
    fn a_sheet_that_folds_onto_itself(device) {
        // two halves of a sheet are turned towards each other about the line x = 0, farther than they can go
        let mut mesh = Scene::new(SceneKind::CurlNoise, Some(17), 0).expect("a size").mesh;
        let middle = mesh.points().iter().sum::<Vec3>() / mesh.positions.len() as f32;
        mesh.positions.iter_mut().for_each(|p| *p -= middle.as_dvec3());
        let length = mesh.points().iter().map(|p| p.x.abs()).fold(0.0, f32::max);
        let turn = |x: Vec3| {
            let side = x.x.signum() * 0.15;
            Vec3::new(-side * x.z, 0.0, side * x.x)
        };
        let folded = |collisions| {
            let given = TrackOptions { collisions, validate: true, ..TrackOptions::default() };
            let mut tracker = Tracker::new(device, &mesh, &given).expect("a sheet");
            let mut found = CollisionReport::default();
            for _ in 0..size(14, 12) {
                let mut turning = Computed(|x: Buffer<Vec3>, _| {
                    x.device().upload(&x.read()?.into_iter().map(turn).collect::<Vec<_>>())
                });
                let report = tracker.step(1.0, &mut turning).expect("a step");
                if collisions {
                    add(&mut found, &report);
                    assert_eq!(pairs(&tracker.download().expect("memory")), 0, "{report:?}");
                }
            }
            (tracker.download().expect("memory"), found)
        };
        let (through, _) = folded(false);
        assert!(pairs(&through) > 0);
        let (apart, found) = folded(true);
        assert!(found.collisions > 0, "{found:?}");
        // it has made most of the movement: its ends are up
        let highest = apart.points().iter().map(|p| p.z).fold(0.0, f32::max);
        assert!(highest > 0.8 * length, "{highest} of {length}: {found:?}");
    }
    fn a_thin_plate_that_is_pressed_together(device) {
        // top and bottom of a closed plate go through each other on one side, where nothing keeps them apart
        let mut plate = shapes::icosphere(3).expect("small");
        plate.positions.iter_mut().for_each(|p| p.z *= 0.1);
        let press = |x: Vec3| Vec3::new(0.0, 0.0, -0.6 * x.z * x.x.max(0.0));
        for collisions in [false, true] {
            let given = TrackOptions { collisions, improve: false, ..TrackOptions::default() };
            let mut tracker = Tracker::new(device, &plate, &given).expect("a plate");
            let mut through = 0;
            for _ in 0..4 {
                // vertices that were above move down, wherever they are now
                let ways: Vec<Vec3> = plate.points().into_iter().map(press).collect();
                let velocities = DynamicAttribute::<Vertex, Vec3>::from_ids(tracker.mesh(), &ways).expect("as many");
                tracker.step(1.0, &mut Given(&velocities)).expect("a step");
                through = through.max(pairs(&tracker.download().expect("memory")));
            }
            assert_eq!(through > 0, !collisions);
        }
    }
    fn far_ways_are_made_in_parts(device) {
        let scene = Scene::new(SceneKind::TwoSpheres, Some(3), 1).expect("a size");
        let given = TrackOptions { farthest: 1e3, ..options() };
        let (report, mesh) =
            one_step(device, &scene.mesh, &given, |x| Vec3::new(0.0, 3.0, 0.0) - 0.1 * x).expect("a step");
        let found = report.collisions.expect("the option");
        assert!(found.parts > 10 && found.stopped == 0, "{found:?}");
        let middle = mesh.points().iter().sum::<Vec3>() / mesh.positions.len() as f32;
        assert!((middle.y - 3.0).abs() < 0.1, "{middle}");
        assert_eq!(pairs(&mesh), 0);
    }
    fn spheres_at_random(device) {
        let steps = size(20, 4);
        let sums = run(device, (SceneKind::Spheres, 10), steps, &options());
        // the first surfaces meet after more than four steps
        assert!(sums.collisions > 0 || steps < 20, "{sums:?}");
    }
    fn volumes_are_corrected_without_collisions(device) {
        let given = TrackOptions { correct_volume: true, ..options() };
        run(device, (SceneKind::TwoSpheres, 3), size(80, 60), &given);
    }
    fn far_ways_are_refused_or_end_safely(device) {
        let scene = Scene::new(SceneKind::TwoSpheres, Some(3), 1).expect("a size");
        let to_the_other_side = |x: Vec3| Vec3::new(-3.0 * x.x, 0.0, 0.0);
        let through = one_step(device, &scene.mesh, &options(), |x| 1000.0 * to_the_other_side(x));
        assert!(matches!(through, Err(TrackError::TooFar { .. })));
        let far = TrackOptions { farthest: 1e6, ..options() };
        let to_one_point = one_step(device, &scene.mesh, &far, |x| -x);
        assert!(matches!(to_one_point, Err(TrackError::Vanished { .. })));
        let ways: [&dyn Fn(Vec3) -> Vec3; 3] = [
            &to_the_other_side,
            &|x| 10.0 * to_the_other_side(x),
            &|x| Vec3::new(-x.x, x.y, x.z),
        ];
        for (i, way) in ways.into_iter().enumerate() {
            // without improvement: an edge stretched to a hundred lengths would be split into a hundred parts
            let given = TrackOptions { improve: i != 1, ..far.clone() };
            let (report, mesh) = one_step(device, &scene.mesh, &given, way).expect("a safe state");
            assert_eq!(pairs(&mesh), 0, "{i}: {report:?}");
            assert!(report.collisions.expect("the option").collisions > 0, "{i}");
        }
    }
    fn what_is_wrong_is_named(device) {
        let scene = Scene::new(SceneKind::TwoSpheres, Some(3), 1).expect("a size");
        let nan = one_step(device, &scene.mesh, &options(), |_| Vec3::NAN);
        assert!(matches!(nan, Err(TrackError::NotFinite { .. })));
        let wrong = TrackOptions { method: Method::GridFree, ..options() };
        let outcome = Tracker::new(device, &scene.mesh, &wrong).err().expect("two methods");
        assert!(
            matches!(outcome, TrackError::Library(Error::Option { option: "collisions", .. })),
            "{outcome}"
        );
        // one sphere in the other one
        let mut crossing = scene.mesh.clone();
        crossing.positions.iter_mut().for_each(|x| x.x -= 0.25 * x.x.signum());
        let outcome = Tracker::new(device, &crossing, &options()).err().expect("it intersects itself");
        let TrackError::Crossing { faces, pairs: found } = outcome else { panic!("{outcome}") };
        assert_eq!(found as usize, pairs(&crossing));
        let some = TriangleMesh::from_f32(
            crossing.points(),
            faces.map(|face| crossing.faces[face as usize]).to_vec(),
        );
        assert_eq!(pairs(&some), 1);
    }
}
