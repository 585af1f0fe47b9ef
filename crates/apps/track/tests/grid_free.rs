//! Surfaces that merge and part: no two faces intersect after any step.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
use common::size;
use ribbonmesh::{Device, TriangleMesh};
use ribbonmesh_intersections::{Triangles, self_intersections};
use ribbonmesh_testing::trial::Checked;
use ribbonmesh_track::{Method, Scene, SceneKind, StepReport, TrackOptions, Tracker};

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
/// Closed, manifold, without intersections, in the order of the file.
fn checked(tracker: &mut Tracker) -> (TriangleMesh, Checked) {
    let mesh = tracker.download().expect("memory");
    let checked = Checked::new(mesh.points(), mesh.faces.clone());
    assert_eq!(checked.loops, 0);
    let device = Device::cpu();
    let positions = device.upload(&mesh.points()).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces }).expect("memory").pairs;
    assert_eq!(pairs.len(), 0);
    (mesh, checked)
}
fn step(scene: &mut Scene, tracker: &mut Tracker) -> StepReport {
    tracker.step(scene.dt, scene.flow.as_mut()).expect("a step")
}

suite! {
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
            assert!((0.7..1.1).contains(&(volume / tracker.initial_volume().expect("closed"))), "{volume}");
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
        // a ball of radius 0.3 is gone at 0.045
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
    }
}
