//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::take_report;
use ribbonmesh_grid::GridScene;
use ribbonmesh_track::{Method, TrackOptions, Tracker};

#[test]
fn no_race() {
    take_report();
    let mut scene = GridScene::DamBreak.build(Some(16), 1).expect("a size").scene;
    let given = TrackOptions { method: Method::Improve, ..TrackOptions::default() };
    let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &scene.options(&given)).expect("a manifold");
    for _ in 0..2 {
        tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
    }
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
}
