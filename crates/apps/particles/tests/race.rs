//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_particles::ParticleScene;
use ribbonmesh_track::{TrackOptions, Tracker};

#[test]
fn no_race() {
    let report = assert_none("a balloon", || {
        let mut scene = ParticleScene::Balloon.scene(Some(8), 1).expect("a size");
        let options = scene.options(&TrackOptions::default());
        let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &options).expect("a manifold");
        for _ in 0..3 {
            tracker.step(scene.dt, scene.flow.as_mut()).expect("a step");
        }
    });
    assert!(report.barriers > 0);
}
