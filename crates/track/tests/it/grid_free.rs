//! Tests of surfaces that merge and part: no two faces intersect after any step.
use ribbonmesh::device::Vec3;
use ribbonmesh::dynamic::DynamicAttribute;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device, Error, TriangleMesh, Vertex};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_suite::forms::joined;
use ribbonmesh_suite::{Checked, size, suite};
use ribbonmesh_track::{
    AlongNormals, Flow, Given, Method, Motion, Places, Scene, SceneKind, StepReport, TrackError,
    TrackOptions, Tracker, isosurface, sphere,
};

fn options() -> TrackOptions {
    TrackOptions { method: Method::GridFree, validate: true, ..TrackOptions::default() }
}
fn begin(device: &Device, kind: SceneKind, size: Option<u32>, given: &TrackOptions) -> (Scene, Tracker) {
    let scene = Scene::new(kind, size, 1).expect("a size");
    let mut tracker = Tracker::new(device, &scene.mesh, &scene.options(given)).expect("closed");
    for _ in 0..scene.settle {
        tracker.improve_only().expect("improved");
    }
    tracker.begin_here().expect("measures");
    (scene, tracker)
}
/// Checks that the surface is closed, manifold and without intersections; returns it in the order of the
/// file.
fn checked(tracker: &mut Tracker) -> (TriangleMesh, Checked) {
    let mesh = tracker.download().expect("memory");
    let checked = Checked::new(mesh.points(), mesh.faces.clone());
    assert_eq!(checked.loops, 0);
    let device = Device::cpu();
    let positions = device.upload(&mesh.points()).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces }).expect("memory").pairs;
    assert_eq!(pairs.len(), 0);
    // each component has one id of its own
    if let Ok(ids) = mesh.vertices().get::<u32>("component") {
        assert!(mesh.faces.iter().all(|face| face.iter().all(|v| ids[*v as usize] == ids[face[0] as usize])));
        let all: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!([all.len(), tracker.components().len()], [checked.components; 2]);
    }
    (mesh, checked)
}
fn step(scene: &mut Scene, tracker: &mut Tracker) -> StepReport {
    tracker.step(scene.dt, scene.flow.as_mut()).expect("a step")
}

/// A flow at rest that has lost all vertices at some places.
struct Losing(fn(Vec3) -> bool);
impl Flow for Losing {
    fn advance(&mut self, motion: &mut Motion<'_>) -> ribbonmesh::Result<()> {
        motion.by_buffers(|x, _| x.device().zeros(x.len()))
    }
    fn lost(&mut self, places: &Places<'_>) -> ribbonmesh::Result<Option<Buffer<u32>>> {
        let lost: Vec<u32> = places.copy()?.read()?.into_iter().map(|p| (self.0)(p).into()).collect();
        if lost.contains(&1) { places.device().upload(&lost).map(Some) } else { Ok(None) }
    }
}

suite! {
    fn a_film_that_the_flow_has_lost_gets_a_hole(device) {
        let within = |p: DVec3| (p.abs() - DVec3::new(0.5, 0.5, 0.03)).max_element();
        let film = isosurface(within, DVec3::splat(-0.6), DVec3::splat(0.6), 0.06);
        let mut tracker = Tracker::new(device, &film, &options()).expect("closed");
        tracker.improve_only().expect("improved");
        let before = tracker.begin_here().expect("measures").volume;
        let mut flow = Losing(|p| p.truncate().length() < 0.2);
        let mut lost = 0;
        for _ in 0..3 {
            let report = tracker.step(0.01, &mut flow).expect("a step");
            let found = report.grid_free.expect("the method");
            lost += found.lost;
            assert_eq!((found.pairs, found.components, found.parts), (0, 1, 1));
            // both sides are one surface there
            let (mesh, checked) = checked(&mut tracker);
            assert_eq!((checked.components, checked.euler), (1, 0));
            // within the hole there is nothing, but for what joins its rims
            assert!(mesh.positions.iter().all(|p| p.truncate().length() > 0.1));
        }
        assert!(lost > 20, "{lost}");
        let hole = before - tracker.begin_here().expect("measures").volume;
        let cylinder = std::f64::consts::PI * 0.04 * 0.06;
        assert!((1.0..2.0).contains(&(hole / cylinder)), "{}", hole / cylinder);
    }
    fn what_the_flow_has_lost_is_closed_or_vanishes(device) {
        let balls = joined(&[sphere(DVec3::ZERO, 1.0, 6), sphere(DVec3::new(3.0, 0.0, 0.0), 0.5, 3)]);
        let mut tracker = Tracker::new(device, &balls, &options()).expect("closed");
        tracker.improve_only().expect("improved");
        let whole = tracker.begin_here().expect("measures").volume;
        let mut flow = Losing(|p| p.z > 0.7 || p.x > 2.0);
        let found = tracker.step(0.01, &mut flow).expect("a step").grid_free.expect("the method");
        assert_eq!((found.pairs, found.components, &found.died[..]), (0, 1, &[1][..]));
        assert!(found.lost > 0 && found.filled == 1, "{found:?}");
        let (mesh, checked) = checked(&mut tracker);
        assert_eq!((checked.components, checked.euler), (1, 2));
        // faces with a vertex of the cap are gone
        let highest = mesh.positions.iter().map(|p| p.z).fold(f64::MIN, f64::max);
        assert!((0.3..=0.7).contains(&highest), "{highest}");
        assert!(tracker.begin_here().expect("measures").volume < 0.85 * whole);

        struct Wrong;
        impl Flow for Wrong {
            fn advance(&mut self, motion: &mut Motion<'_>) -> ribbonmesh::Result<()> {
                motion.by_buffers(|x, _| x.device().zeros(x.len()))
            }
            fn lost(&mut self, places: &Places<'_>) -> ribbonmesh::Result<Option<Buffer<u32>>> {
                places.device().zeros(places.vertices() as usize + 1).map(Some)
            }
        }
        let error = tracker.step(0.01, &mut Wrong).expect_err("another length");
        assert!(matches!(error, TrackError::Library(Error::Length { .. })), "{error}");
    }
    fn two_spheres_merge_and_part(device) {
        let (mut scene, mut tracker) = begin(device, SceneKind::TwoSpheres, Some(4), &options());
        let (mut merged, mut last) = (None, StepReport::default());
        let steps = size(scene.steps, 80);
        for i in 1..=steps {
            last = step(&mut scene, &mut tracker);
            let found = last.grid_free.as_ref().expect("the method");
            if !found.merged.is_empty() {
                assert!(merged.is_none(), "{found:?}");
                assert_eq!((found.components, &found.merged[..]), (1, &[[1, 0]][..]));
                merged = Some(last.time);
            }
            if i % 40 == 0 {
                checked(&mut tracker);
            }
        }
        // they touch at 0.25
        assert!(merged.is_some_and(|time| (0.24..0.35).contains(&time)), "{merged:?}");
        let (mesh, found) = checked(&mut tracker);
        assert!(mesh.vertices().column("component").is_some() && mesh.vertices().column("colour").is_some());
        if steps == scene.steps {
            assert!((1..=2).contains(&found.components));
            let volume = last.mesh.expect("measured").volume;
            // growing and shrinking by 0.2 closes the gap between the spheres by a neck of radius 0.112,
            // which is 10 % of their volume
            let ratio = volume / tracker.initial_volume().expect("closed");
            assert!((1.0..1.2).contains(&ratio), "{ratio}");
        }
    }
    fn a_dumbbell_parts_and_vanishes(device) {
        let (mut scene, mut tracker) = begin(device, SceneKind::MeanCurvature, Some(12), &options());
        let (mut most, mut born) = (0, 0);
        let mut ended = None;
        for i in 0..scene.steps {
            let report = step(&mut scene, &mut tracker);
            let found = report.grid_free.expect("the method");
            most = most.max(found.components);
            born += found.born.len();
            if i % 50 == 0 {
                checked(&mut tracker);
            }
            if tracker.is_empty() {
                ended = Some(report.time);
                assert_eq!(found.components, 0);
                break;
            }
        }
        assert_eq!((most, born), (2, 1));
        // a ball of radius 0.3 vanishes at 0.045
        assert!(ended.is_some_and(|time| (0.03..0.06).contains(&time)), "{ended:?}");
        let (mesh, _) = checked(&mut tracker);
        assert!(mesh.faces.is_empty());
        // time goes on
        let before = tracker.time();
        let report = step(&mut scene, &mut tracker);
        assert!(tracker.time() > before && report.mesh.is_some_and(|mesh| mesh.faces == 0));
    }
    fn spheres_at_random(device) {
        let (mut scene, mut tracker) = begin(device, SceneKind::Spheres, Some(12), &options());
        let mut reports = vec![];
        for i in 0..size(scene.steps, 40) {
            reports.push(step(&mut scene, &mut tracker));
            if i % 10 == 9 {
                checked(&mut tracker);
            }
        }
        let found: Vec<_> = reports.iter().filter_map(|report| report.grid_free.as_ref()).collect();
        let gone: usize = found.iter().map(|f| f.merged.len() + f.died.len()).sum();
        let born: usize = found.iter().map(|f| f.born.len()).sum();
        assert_eq!(found.last().map(|f| f.components), Some((12 + born - gone) as u64));
        assert!(found.iter().map(|f| f.merged.len()).sum::<usize>() > 0);
        // mostly a region is enough
        assert!(4 * found.iter().map(|f| f.whole).sum::<u64>() <= found.iter().filter(|f| f.pairs > 0).count() as u64);
    }
    fn goes_on_where_it_was(device) {
        let (mut scene, mut tracker) = begin(device, SceneKind::TwoSpheres, Some(3), &options());
        for _ in 0..60 {
            step(&mut scene, &mut tracker);
        }
        let (mesh, progress) = (tracker.download().expect("memory"), tracker.progress());
        let mut other = Tracker::resume(device, &mesh, &scene.options(&options()), &progress).expect("its own");
        assert_eq!((other.steps(), other.time(), other.length()), (60, tracker.time(), tracker.length()));
        assert_eq!((other.components(), other.initial_volume()), (tracker.components(), tracker.initial_volume()));
        let [a, b] = [&mut tracker, &mut other].map(|tracker| step(&mut scene, tracker));
        assert_eq!((a.step, a.time), (b.step, b.time));
        let [a, b] = [a, b].map(|report| report.mesh.expect("measured").volume);
        assert!((a / b - 1.0).abs() < 1e-5, "{a} {b}");
        let mut without = mesh.clone();
        without.vertices_mut().remove("component");
        let error = Tracker::resume(device, &without, &options(), &progress).map(drop);
        assert!(matches!(error, Err(TrackError::Column { name, .. }) if name == "component"));
    }
    fn volumes_are_corrected(device) {
        let steps = size(300, 40);
        for method in [Method::Improve, Method::GridFree] {
            let drifts = [false, true].map(|correct_volume| {
                let given = TrackOptions { method, correct_volume, ..options() };
                let (mut scene, mut tracker) = begin(device, SceneKind::Enright, Some(5), &given);
                let mut worst = 0.0_f64;
                for _ in 0..steps {
                    let report = step(&mut scene, &mut tracker);
                    if let Some(found) = report.correction {
                        assert!(found.after <= found.before.max(1e-5) && found.after < 1e-4, "{found:?}");
                    }
                    assert_eq!(report.correction.is_some(), correct_volume);
                    worst = worst.max(report.volume_drift.expect("closed").abs());
                }
                worst
            });
            // in between, the motion of a coarse surface alone does not keep the volume of the sphere
            assert!(steps < 300 || drifts[1] < 0.8 * drifts[0], "{drifts:?}");
        }
    }
    fn bad_velocities_change_nothing(device) {
        let (mut scene, mut tracker) = begin(device, SceneKind::TwoSpheres, Some(3), &options());
        for _ in 0..3 {
            step(&mut scene, &mut tracker);
        }
        let before = tracker.download().expect("memory");
        let centre = |p: &DVec3| DVec3::new(0.25 * p.x.signum(), 0.0, 0.0);
        let through: Vec<Vec3> = before.positions.iter().map(|p| (2.0 * (centre(p) - *p)).as_vec3()).collect();
        let mut wild = vec![Vec3::X; through.len()];
        wild[5] = Vec3::NAN;
        let mut far = vec![Vec3::ZERO; through.len()];
        far[7].y = 1000.0 * tracker.length();
        // each vertex moves through the centre of its own sphere: no faces intersect, but the spheres are
        // inside out
        for (i, velocities) in [wild, far, through].into_iter().enumerate() {
            let given = DynamicAttribute::<Vertex, Vec3>::from_ids(tracker.mesh(), &velocities).expect("memory");
            let error = tracker.step(1.0, &mut Given(&given)).expect_err("a bad velocity");
            let right = matches!(
                (&error, i),
                (TrackError::NotFinite { vertex: 5, .. }, 0)
                    | (TrackError::TooFar { vertex: 7, .. }, 1)
                    | (TrackError::InsideOut { .. }, 2)
            );
            assert!(right, "{error}");
            let after = tracker.download().expect("memory");
            assert!(after.positions == before.positions && after.faces == before.faces);
            assert_eq!(tracker.steps(), 3);
        }
        step(&mut scene, &mut tracker);
    }
    fn all_spheres_vanish(device) {
        let (_, mut tracker) = begin(device, SceneKind::TwoSpheres, Some(3), &options());
        let mut flow = AlongNormals { speed: -1.0 };
        let mut died = vec![];
        while !tracker.is_empty() && tracker.steps() < 100 {
            let report = tracker.step(0.005, &mut flow).expect("a step");
            died.extend(report.grid_free.expect("the method").died);
            if tracker.steps() % 8 == 0 {
                checked(&mut tracker);
            }
        }
        died.sort_unstable();
        assert_eq!(died, [0, 1]);
        assert!((0.15..0.25).contains(&tracker.time()), "{}", tracker.time());
        assert!(tracker.components().is_empty());
    }
}

#[test]
fn refused() {
    let device = Device::cpu();
    let new = |mesh: &TriangleMesh, options: &TrackOptions| Tracker::new(&device, mesh, options).map(drop);
    let sheet = Scene::new(SceneKind::CurlNoise, Some(5), 0).expect("a size").mesh;
    let corrected = TrackOptions { correct_volume: true, ..TrackOptions::default() };
    for given in [&options(), &corrected] {
        assert!(matches!(new(&sheet, given), Err(TrackError::Open { edges: 16 })));
    }
    let mut two = Scene::new(SceneKind::TwoSpheres, Some(3), 0).expect("a size").mesh;
    two.positions.iter_mut().for_each(|p| p.x *= 0.9);
    assert!(new(&two, &options()).is_ok());
    for p in &mut two.positions {
        p.x -= 0.1 * p.x.signum();
    }
    assert!(matches!(new(&two, &options()), Err(TrackError::Intersects { pairs }) if pairs > 0));
    assert!(new(&two, &TrackOptions::default()).is_ok());
}
