//! Tests of tracking: scenes whose end is known, and properties after every step.
use ribbonmesh::device::Vec3;
use ribbonmesh::dynamic::{DynamicAttribute, ExecutionMode};
use ribbonmesh::glam::DVec3;
use ribbonmesh::mesh::{Column, Policy, Role, shapes};
use ribbonmesh::{Device, Error, TriangleMesh, Vertex};
use ribbonmesh_suite::{Checked, size, suite};
use ribbonmesh_track::{
    Adaptive, Boundary, Flips, Flow, Given, Integration, Scene, SceneKind, StepReport, Subdivision,
    TrackError, TrackOptions, Tracker,
};
use std::collections::BTreeSet;

fn options() -> TrackOptions {
    TrackOptions { validate: true, ..TrackOptions::default() }
}
fn scene(kind: SceneKind, size: Option<u32>) -> Scene {
    Scene::new(kind, size, 1).expect("a size")
}
fn tracker(device: &Device, scene: &Scene, given: &TrackOptions) -> Tracker {
    let mut tracker = Tracker::new(device, &scene.mesh, &scene.options(given)).expect("a manifold");
    for _ in 0..scene.settle {
        tracker.improve_only().expect("improved");
    }
    tracker.begin_here().expect("measures");
    tracker
}
fn run(tracker: &mut Tracker, scene: &mut Scene, steps: u64) -> Vec<StepReport> {
    (0..steps).map(|_| tracker.step(scene.dt, scene.flow.as_mut()).expect("a step")).collect()
}
fn checked(tracker: &mut Tracker) -> Checked {
    let mesh = tracker.download().expect("memory");
    Checked::new(mesh.points(), mesh.faces)
}
fn drift(report: &StepReport) -> f64 {
    report.volume_drift.expect("a closed surface")
}

suite! {
    fn a_rotation_returns(device) {
        let mut scene = scene(SceneKind::Rotation, None);
        let mut tracker = tracker(device, &scene, &options());
        let reports = run(&mut tracker, &mut scene, 100);
        assert!((tracker.time() - 1.0).abs() < 1e-9);
        let mesh = checked(&mut tracker);
        assert_eq!((mesh.euler, mesh.components, mesh.loops), (2, 1, 0));
        // the implicit function of the ellipsoid, as a distance
        let [centre, half] = [DVec3::new(0.5, 0.75, 0.5), DVec3::new(0.15, 0.1, 0.12)];
        let off = |p: &Vec3| ((p.as_dvec3() - centre) / half).length() - 1.0;
        let most = mesh.positions.iter().map(|p| 0.15 * off(p).abs()).fold(0.0, f64::max);
        assert!(most < 0.002, "{most}");
        assert!(drift(&reports[99]).abs() < 0.002, "{:?}", reports[99]);
    }
    fn lengths_follow_curvature(device) {
        // an ellipsoid with edges of about the same length
        let mut mesh = shapes::icosphere(size(5, 4) as u32).expect("a size");
        mesh.positions.iter_mut().for_each(|p| p.x *= 3.0);
        let plain = TrackOptions { shortest: 0.65, longest: 1.3, ..options() };
        let improved = |mesh: &TriangleMesh, given: &TrackOptions| {
            let mut tracker = Tracker::new(device, mesh, given).expect("a manifold");
            for _ in 0..20 {
                tracker.improve_only().expect("improved");
            }
            let length = f64::from(tracker.length());
            (tracker.download().expect("memory"), length)
        };
        let mesh = improved(&mesh, &plain).0;
        // mean lengths at the ends, where the greatest curvature is 3, and around the middle, where it is 1
        let lengths = |mesh: &TriangleMesh| {
            let mut sums = [[0.0; 2]; 2];
            for [a, b] in mesh.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]) {
                let [p, q] = [a, b].map(|v| mesh.positions[v as usize]);
                let x = 0.5 * (p.x + q.x).abs();
                let of = if x > 2.8 { 0 } else if x < 0.8 { 1 } else { continue };
                sums[of] = [sums[of][0] + p.distance(q), sums[of][1] + 1.0];
            }
            sums.map(|[sum, count]| sum / count)
        };
        let [tips, middle] = lengths(&mesh);
        assert!((tips / middle - 1.0).abs() < 0.25, "{tips} {middle}");
        let tolerance = 0.02;
        let adaptive = Adaptive { tolerance, range: [0.25, 2.0] };
        let (found, length) = improved(&mesh, &TrackOptions { adaptive: Some(adaptive), ..plain.clone() });
        let [tips, middle] = lengths(&found);
        assert!(found.is_closed() && tips < 0.75 * middle, "{tips} {middle}");
        let expected = |curvature: f64| (6.0 * f64::from(tolerance) * length / curvature).sqrt();
        for (of, expected) in [(tips, expected(3.0)), (middle, expected(1.0))] {
            assert!((0.65..1.3).contains(&(of / expected)), "{of} {expected}");
        }
        // where it is flat relative to the tolerance, the range limits lengths
        let coarse = Adaptive { tolerance: 1.0, range: [1.0, 1.0] };
        let (same, _) = improved(&mesh, &TrackOptions { adaptive: Some(coarse), ..plain.clone() });
        let (without, _) = improved(&mesh, &plain);
        assert_eq!((same.positions, same.faces), (without.positions, without.faces));
        for wrong in [
            Adaptive { tolerance: 0.0, ..adaptive },
            Adaptive { tolerance: f32::NAN, ..adaptive },
            Adaptive { range: [0.0, 1.0], ..adaptive },
            Adaptive { range: [0.5, f32::INFINITY], ..adaptive },
        ] {
            let refused = Tracker::new(device, &mesh, &TrackOptions { adaptive: Some(wrong), ..options() });
            assert!(matches!(refused, Err(TrackError::Library(Error::Option { .. }))));
        }
    }
    fn enright_as_el_topo(device) {
        let mut scene = scene(SceneKind::Enright, None);
        let mut tracker = tracker(device, &scene, &options());
        let steps = size(300, 30);
        let reports = run(&mut tracker, &mut scene, steps);
        let worst = reports.iter().map(|r| drift(r).abs()).fold(0.0, f64::max);
        assert!(worst < 0.004, "{worst}");
        assert!(reports.iter().all(|r| r.mesh.expect("measured").is_closed()));
        let mesh = checked(&mut tracker);
        assert_eq!((mesh.euler, mesh.components, mesh.loops), (2, 1, 0));
        if steps == 300 {
            // El Topo's volume is 0.18 % less, and 0.26 % at the worst
            assert!(drift(&reports[299]).abs() < 0.002, "{:?}", reports[299]);
            let off = |p: &Vec3| (p.as_dvec3().distance(DVec3::splat(0.35)) - 0.15).abs();
            let most = mesh.positions.iter().map(off).fold(0.0, f64::max);
            assert!(most < 0.006, "{most}");
            let most_faces = reports.iter().map(|r| r.mesh.expect("measured").faces).max();
            assert!(most_faces.is_some_and(|n| n > 20_000), "{most_faces:?}");
        }
    }
    fn curl_noise_on_a_sheet(device) {
        for boundary in [Boundary::Refine, Boundary::Keep] {
            let mut scene = scene(SceneKind::CurlNoise, Some(30));
            let given = TrackOptions { boundary, ..options() };
            let mut tracker = tracker(device, &scene, &given);
            let boundary_edges = tracker.measure().expect("measures").boundary_edges;
            for _ in 0..size(50, 5) {
                let report = tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
                let mesh = report.mesh.expect("measured");
                // edges that could not be split or collapsed, and some that smoothing or collapses made
                let few = mesh.edges / 50 + if boundary == Boundary::Keep { boundary_edges } else { 0 };
                assert!(mesh.too_long <= report.split.left + few, "{report:?}");
                assert!(mesh.too_short <= report.collapse.left + few, "{report:?}");
                assert!(report.split.finished);
                if boundary == Boundary::Keep {
                    assert_eq!(mesh.boundary_edges, boundary_edges);
                }
            }
            let after = checked(&mut tracker);
            assert_eq!((after.euler, after.components, after.loops), (1, 1, 1));
            assert!(tracker.measure().expect("measures").least_angle > 1.0);
        }
    }
    fn the_same_each_time_and_in_each_mode(device) {
        let all = [ExecutionMode::PerPhase, ExecutionMode::PerPhase, ExecutionMode::Persistent].map(|mode| {
            let mut scene = scene(SceneKind::CurlNoise, Some(20));
            let mut tracker = tracker(device, &scene, &TrackOptions { mode, ..options() });
            run(&mut tracker, &mut scene, 20);
            tracker.download().expect("memory")
        });
        assert!(all[0].positions == all[1].positions && all[0].faces == all[1].faces);
        assert!(all[0].positions == all[2].positions && all[0].faces == all[2].faces);
    }
    fn columns_stay_in_range(device) {
        let mut scene = scene(SceneKind::Enright, Some(5));
        let height: Vec<f32> = scene.mesh.positions.iter().map(|p| p.x as f32).collect();
        let three: Vec<Vec3> = scene.mesh.positions.iter().map(|p| p.as_vec3()).collect();
        let labels: Vec<u32> = (0..height.len() as u32).collect();
        scene.mesh.vertices_mut().insert("height", height.clone()).expect("a column");
        scene.mesh.vertices_mut().insert("three", three).expect("a column");
        scene.mesh.vertices_mut().insert("label", labels).expect("a column");
        let mut tracker = tracker(device, &scene, &options());
        let reports = run(&mut tracker, &mut scene, size(100, 10));
        assert!(reports.iter().map(|r| r.split.executed).sum::<u64>() >= size(100, 0));
        let mesh = tracker.download().expect("memory");
        let range = |values: &[f32]| {
            values.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)])
        };
        let (was, now) = (range(&height), mesh.vertices().get::<f32>("height").expect("it follows").to_vec());
        let is = range(&now);
        assert!(is[0] >= was[0] && is[1] <= was[1], "{was:?} {is:?}");
        // still spread, and each vertex has its own
        assert!(is[1] - is[0] > 0.9 * (was[1] - was[0]));
        let three = mesh.vertices().get::<Vec3>("three").expect("it follows");
        assert!(three.iter().zip(&now).all(|(p, x)| p.x == *x));
        assert!(mesh.vertices().column("colour").is_some());
        assert!(mesh.vertices().column("label").is_some());
    }
    fn bad_velocities_change_nothing(device) {
        let mut scene = scene(SceneKind::CurlNoise, Some(10));
        let mut tracker = tracker(device, &scene, &options());
        run(&mut tracker, &mut scene, 3);
        let before = tracker.download().expect("memory");
        for (bad, named) in [(f32::NAN, 7_u32), (f32::INFINITY, 30), (1e5, 11)] {
            let mut velocities = vec![Vec3::X; before.positions.len()];
            velocities[named as usize].y = bad;
            velocities[named as usize + 20].y = bad;
            let velocities = DynamicAttribute::<Vertex, Vec3>::from_ids(tracker.mesh(), &velocities).expect("memory");
            let error = tracker.step(0.01, &mut Given(&velocities)).expect_err("a bad velocity");
            match error {
                TrackError::NotFinite { vertex, position, .. } => {
                    assert!(!bad.is_finite() && vertex == named);
                    assert_eq!(Vec3::from_array(position).as_dvec3(), before.positions[named as usize]);
                }
                TrackError::TooFar { vertex, .. } => assert!(bad == 1e5 && vertex == named),
                error => panic!("{error}"),
            }
            let after = tracker.download().expect("memory");
            assert!(after.positions == before.positions && after.faces == before.faces);
            assert_eq!(tracker.steps(), 3);
        }
        // and the tracker can continue
        run(&mut tracker, &mut scene, 1);
    }
    fn other_options(device) {
        for given in [
            TrackOptions { flips: Flips::Shorter, subdivision: Subdivision::Middle, keep_volume: false, ..options() },
            TrackOptions { ranks: false, smoothing: 3, smoothing_step: 0.5, ..options() },
            TrackOptions { integration: Integration::Euler, ..options() },
        ] {
            let mut scene = scene(SceneKind::Enright, Some(6));
            let mut tracker = tracker(device, &scene, &given);
            let reports = run(&mut tracker, &mut scene, size(60, 6));
            assert!(drift(&reports[reports.len() - 1]).abs() < 0.06, "{given:?}: {:?}", reports[reports.len() - 1]);
            assert_eq!(checked(&mut tracker).euler, 2);
        }
        // only motion
        let mut scene = scene(SceneKind::Rotation, None);
        let mut tracker = tracker(device, &scene, &TrackOptions { improve: false, ..options() });
        run(&mut tracker, &mut scene, 100);
        let mut after = tracker.download().expect("memory").positions;
        // in the order of ids: neither order is the input's
        let sorted = |points: &mut Vec<DVec3>| points.sort_by(|a, b| a.x.total_cmp(&b.x));
        sorted(&mut after);
        let mut before = scene.mesh.positions.clone();
        sorted(&mut before);
        let apart = before.iter().zip(&after).map(|(p, q)| (p.x - q.x).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-5, "{apart}");
    }
    fn out_and_in_again(device) {
        let mut scene = scene(SceneKind::NormalFlow, None);
        let mut tracker = tracker(device, &scene, &options());
        let reports = run(&mut tracker, &mut scene, size(400, 20));
        if reports.len() == 400 {
            let radius = |report: &StepReport| (report.mesh.expect("measured").volume * 0.238_732_4).cbrt();
            assert!((radius(&reports[199]) - 0.4).abs() < 0.004, "{}", radius(&reports[199]));
            assert!((radius(&reports[399]) - 0.2).abs() < 0.006, "{}", radius(&reports[399]));
        }
    }
    fn a_sphere_by_its_curvature_until_it_vanishes(device) {
        // the radius is the root of its square at the beginning less twice the time
        let scene = scene(SceneKind::NormalFlow, None);
        let mut flow = ribbonmesh_track::ByCurvature { speed: 1.0 };
        let mut tracker = tracker(device, &scene, &options());
        let mut reports = Vec::new();
        for _ in 0..100 {
            reports.push(tracker.step(1e-4, &mut flow).expect("a step"));
        }
        let radius = (reports[99].mesh.expect("measured").volume * 0.238_732_4).cbrt();
        assert!((radius - (0.04_f64 - 0.02).sqrt()).abs() < 0.002, "{radius}");
        let error = (0..400).find_map(|_| tracker.step(1e-4, &mut flow).err());
        assert!(
            matches!(error, Some(TrackError::Vanished { .. } | TrackError::TooFar { .. } | TrackError::NotFinite { .. })),
            "{error:?}"
        );
    }
    fn a_dumbbell_ends_at_its_pinch(device) {
        let mut scene = scene(SceneKind::MeanCurvature, None);
        let mut tracker = tracker(device, &scene, &options());
        let mut pinched = None;
        for _ in 0..250 {
            let report = tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
            if report.pinching > 0 {
                pinched = Some(report.time);
                break;
            }
        }
        // a cylinder of the handle's radius would be gone at 0.01
        assert!(pinched.is_some_and(|time| (0.004..0.025).contains(&time)), "{pinched:?}");
        assert_eq!(checked(&mut tracker).euler, 2);
    }
    fn a_slot_is_turned(device) {
        let mut scene = scene(SceneKind::Zalesak, Some(50));
        let mut tracker = tracker(device, &scene, &options());
        let reports = run(&mut tracker, &mut scene, size(157, 10));
        assert!(drift(&reports[reports.len() - 1]).abs() < 0.02, "{:?}", reports[reports.len() - 1]);
        let mesh = checked(&mut tracker);
        assert_eq!((mesh.euler, mesh.components), (2, 1));
    }
}

#[test]
fn refused() {
    let device = Device::cpu();
    let scene = scene(SceneKind::Enright, Some(3));
    let with = |options: TrackOptions| Tracker::new(&device, &scene.mesh, &options).map(drop);
    for wrong in [
        TrackOptions { shortest: 0.0, ..options() },
        TrackOptions { shortest: 0.9, ..options() },
        TrackOptions { longest: f32::NAN, ..options() },
        TrackOptions { length: Some(0.0), ..options() },
        TrackOptions { least_angle: 60.0, ..options() },
        TrackOptions { farthest: -1.0, ..options() },
    ] {
        assert!(matches!(with(wrong), Err(TrackError::Library(Error::Option { .. }))));
    }
    let empty = TriangleMesh::new(vec![DVec3::ZERO], Vec::new());
    assert!(matches!(
        Tracker::new(&device, &empty, &options()),
        Err(TrackError::Library(Error::NoFaces { .. }))
    ));
    let mut nan = scene.mesh.clone();
    nan.positions[3].y = f64::NAN;
    assert!(matches!(
        Tracker::new(&device, &nan, &options()),
        Err(TrackError::Library(Error::NotFinite { vertex: 3 }))
    ));
    let mut wide = scene.mesh.clone();
    for name in ["a", "b", "c", "d"] {
        let column = Column::with_role(name, Role::Custom, vec![[0.0_f32; 4]; wide.positions.len()]);
        wide.vertices_mut().insert_column(column).expect("a column");
    }
    let mut tracker = Tracker::new(&device, &wide, &options()).expect("more numbers than kernels carry");
    let names =
        |mesh: &TriangleMesh| mesh.vertices().iter().map(|c| c.name().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(names(&tracker.download().expect("a mesh")), names(&wide));
    for (kind, size) in [(SceneKind::CurlNoise, 1), (SceneKind::Enright, 0), (SceneKind::Zalesak, 10_001)] {
        assert!(Scene::new(kind, Some(size), 0).is_err());
    }
    let mut tracker = Tracker::new(&device, &scene.mesh, &options()).expect("a manifold");
    let mut flow: Box<dyn Flow> = Scene::new(SceneKind::Enright, Some(3), 0).expect("a size").flow;
    assert!(tracker.step(f64::NAN, flow.as_mut()).is_err());
}

#[test]
fn names_of_scenes() {
    for (kind, name) in SceneKind::ALL {
        assert_eq!(name.parse(), Ok(kind));
        assert_eq!(kind.to_string(), name);
    }
    assert!("enrigth".parse::<SceneKind>().is_err_and(|text| text.contains("curl-noise, ")));
}

/// A ball in double precision at a position, with columns of every kind.
fn ball_with_columns(at: DVec3) -> TriangleMesh {
    let mut mesh = shapes::icosphere(3).expect("small");
    let directions = mesh.positions.clone();
    mesh = TriangleMesh::new(mesh.positions.iter().map(|p| *p + at).collect(), mesh.faces);
    let heights: Vec<f64> = directions.iter().map(|p| p.z).collect();
    let half: Vec<i64> = directions.iter().map(|p| if p.z > 0.0 { i64::MAX } else { -7 }).collect();
    let of_faces: Vec<u16> =
        mesh.faces.iter().map(|f| u16::from(directions[f[0] as usize].x > 0.0)).collect();
    let uv: Vec<[f32; 2]> = mesh
        .faces
        .as_flattened()
        .iter()
        .map(|v| [directions[*v as usize].x as f32, directions[*v as usize].y as f32])
        .collect();
    mesh.vertices_mut().insert("height", heights).expect("rows");
    mesh.vertices_mut().insert("half", half).expect("rows");
    mesh.vertices_mut().insert("heat", directions.iter().map(|p| p.x as f32).collect()).expect("rows");
    let normals = vec![ribbonmesh::glam::Vec3::ZERO; directions.len()];
    mesh.vertices_mut().insert_column(Column::with_role("normal", Role::Normal, normals)).expect("rows");
    mesh.faces_of_mut().insert("side", of_faces).expect("rows");
    mesh.corners_mut().insert_column(Column::with_role("uv", Role::TextureCoordinate(0), uv)).expect("rows");
    mesh
}

#[test]
fn all_columns_follow_far_from_the_origin() {
    for at in [DVec3::ZERO, DVec3::new(1e6, -2e6, 3e5)] {
        let mesh = ball_with_columns(at);
        for (grow, steps) in [(0.0, 1), (0.1, 6)] {
            let mut tracker = Tracker::new(&Device::cpu(), &mesh, &options()).expect("a tracker");
            assert_eq!(tracker.origin() == DVec3::ZERO, at == DVec3::ZERO);
            for _ in 0..steps {
                tracker.step(1.0, &mut ribbonmesh_track::AlongNormals { speed: grow }).expect("a step");
            }
            let inputs = tracker.input_vertices().expect("kept");
            let after = tracker.download().expect("a mesh");
            assert_eq!(inputs.len(), after.positions.len());
            let around: Vec<DVec3> = after.positions.iter().map(|p| *p - at).collect();
            let mean = around.iter().map(|p| p.length()).sum::<f64>() / around.len() as f64;
            for p in &around {
                assert!((p.length() / mean - 1.0).abs() < 0.02, "{p} of {mean}");
            }
            let heights = after.vertices().get::<f64>("height").expect("a column");
            let half = after.vertices().get::<i64>("half").expect("a column");
            let heat = after.vertices().get::<f32>("heat").expect("a column");
            let normals = after.vertices().get::<ribbonmesh::glam::Vec3>("normal").expect("a column");
            let given = mesh.vertices().get::<f64>("height").expect("a column");
            let mut same = 0;
            for (v, p) in around.iter().enumerate() {
                let d = p.normalize();
                let found = [heights[v] - d.z, f64::from(heat[v]) - d.x];
                assert!(found.iter().all(|by| by.abs() < 0.06), "{v} at {d}: by {found:?}");
                assert!(d.z.abs() < 0.1 || half[v] == if d.z > 0.0 { i64::MAX } else { -7 }, "{v}");
                assert!(normals[v].as_dvec3().dot(d) > 0.99, "{v}");
                if let Some(input) = inputs[v] {
                    same += 1;
                    // not even rounded
                    assert_eq!(heights[v], given[input as usize]);
                }
            }
            let splits = after.positions.len() > mesh.positions.len();
            assert!(
                splits == (grow > 0.0) && same > 300 && (splits || same == mesh.positions.len()),
                "{same} of {} and {}, by {grow}",
                after.positions.len(),
                mesh.positions.len()
            );
            let seen: BTreeSet<u32> = inputs.iter().flatten().copied().collect();
            assert_eq!(seen.len(), same);
            let side = after.faces_of().get::<u16>("side").expect("a column");
            let uv = after.corners().get::<[f32; 2]>("uv").expect("a column");
            for (f, face) in after.faces.iter().enumerate() {
                let d = face.map(|v| around[v as usize].normalize());
                let x = (d[0].x + d[1].x + d[2].x) / 3.0;
                assert!(x.abs() < 0.2 || side[f] == u16::from(x > 0.0), "{f}: {x}");
                for (i, d) in d.iter().enumerate() {
                    let [s, t] = uv[3 * f + i].map(f64::from);
                    assert!((s - d.x).abs() < 0.08 && (t - d.y).abs() < 0.08, "{f}: {s} {t} at {d}");
                }
            }
        }
    }
    let tracker = Tracker::new(&Device::cpu(), &shapes::icosphere(1).expect("small"), &options());
    let error = tracker.expect("a tracker").input_vertices().expect_err("not kept");
    assert!(error.to_string().contains("trace"), "{error}");
    let dropped = Column::new("gone", vec![1_u32; 42]).with_policy(Policy::Drop);
    let mut mesh = shapes::icosphere(1).expect("small");
    mesh.vertices_mut().insert_column(dropped).expect("rows");
    let mut tracker = Tracker::new(&Device::cpu(), &mesh, &options()).expect("a tracker");
    assert!(tracker.download().expect("a mesh").vertices().is_empty());
}
