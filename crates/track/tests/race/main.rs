//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
mod collide;
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_track::{Scene, SceneKind, TrackOptions, Tracker};

#[test]
fn no_race() {
    for (kind, size) in [(SceneKind::CurlNoise, 20), (SceneKind::MeanCurvature, 12), (SceneKind::Vortex, 3)] {
        let mut scene = Scene::new(kind, Some(size), 1).expect("a size");
        let options = scene.options(&TrackOptions::default());
        let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &options).expect("a manifold");
        let report = assert_none(kind, || {
            for _ in 0..3 {
                tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
            }
        });
        assert!(report.barriers > 0);
    }
    collide::no_race();
}
