//! No race in shared memory: `cargo test --features race-check`.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::assert_none;
use ribbonmesh::mesh::shapes;
use ribbonmesh::prelude::*;
use ribbonmesh_track::{TrackOptions, Tracker};
use vortices::Vortices;

#[test]
fn no_race() {
    let device = Device::cpu();
    let mut rings = Vortices::rings(&device, &[0.0], 20).expect("memory");
    let drop = shapes::icosphere(2).expect("small");
    let mut tracker = Tracker::new(&device, &drop, &TrackOptions::default()).expect("a manifold");
    assert_none("a step", || tracker.step(0.05, &mut rings).expect("a step"));
}
