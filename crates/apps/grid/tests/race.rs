//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_grid::GridScene;
use ribbonmesh_track::{Method, TrackOptions, Tracker};

#[test]
fn no_race() {
    let report = assert_none("a breaking dam", || {
        let mut scene = GridScene::DamBreak.build(Some(16), 1).expect("a size").scene;
        let given = TrackOptions { method: Method::Improve, ..TrackOptions::default() };
        let mut tracker =
            Tracker::new(&Device::cpu(), &scene.mesh, &scene.options(&given)).expect("a manifold");
        for _ in 0..2 {
            tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
        }
    });
    assert!(report.barriers > 0);
}
