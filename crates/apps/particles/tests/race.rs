//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::take_report;
use ribbonmesh_particles::ParticleScene;
use ribbonmesh_track::{TrackOptions, Tracker};

#[test]
fn no_race() {
    take_report();
    let mut scene = ParticleScene::Balloon.scene(Some(8), 1).expect("a size");
    let options = scene.options(&TrackOptions::default());
    let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &options).expect("a manifold");
    for _ in 0..3 {
        tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
    }
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
}
