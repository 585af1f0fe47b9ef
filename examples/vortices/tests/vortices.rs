//! Vortices, and the surface that they carry.
use ribbonmesh::mesh::shapes;
use ribbonmesh::prelude::*;
use ribbonmesh_track::{Method, TrackOptions, Tracker};
use vortices::Vortices;

fn tracker(device: &Device) -> Tracker {
    let drop = shapes::icosphere(3).expect("small");
    let options = TrackOptions { method: Method::GridFree, ..TrackOptions::default() };
    Tracker::new(device, &drop, &options).expect("closed")
}

fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(e) => {
            assert!(std::env::var_os("RIBBONMESH_REQUIRE_CUDA").is_none_or(|v| v != "1"), "no GPU: {e}");
            println!("skipped: {e}");
            None
        }
    }
}

#[test]
fn cpu_a_ring_moves_along_its_axis() {
    a_ring_moves_along_its_axis(&Device::cpu());
}
#[test]
fn cuda_a_ring_moves_along_its_axis() {
    if let Some(device) = cuda() {
        a_ring_moves_along_its_axis(&device);
    }
}
fn a_ring_moves_along_its_axis(device: &Device) {
    let mut ring = Vortices::rings(device, &[0.0], 200).expect("memory");
    let mut tracker = tracker(device);
    for _ in 0..20 {
        let report = tracker.step(0.05, &mut ring).expect("a step");
        assert!(report.volume_drift.expect("closed").abs() < 0.02, "{report:?}");
    }
    // a ring of radius R and circulation Γ with a smooth core a moves at Γ (ln 8 R/a - 1) / 4 π R (Saffman
    // 1992, with the core's constant of this kernel)
    let places = ring.places().expect("memory");
    let speed = ((8.0_f32 / 0.1).ln() - 1.0) / (4.0 * std::f32::consts::PI);
    for p in &places {
        assert!((p.x / speed - 1.0).abs() < 0.03, "{p} {speed}");
        assert!((p.y.hypot(p.z) - 1.0).abs() < 1e-3, "{p}");
    }
}

#[test]
fn cpu_every_run_is_the_same() {
    let run = || {
        let device = Device::cpu();
        let mut rings = Vortices::rings(&device, &[-0.3, 0.3], 50).expect("memory");
        let mut tracker = tracker(&device);
        for _ in 0..10 {
            tracker.step(0.05, &mut rings).expect("a step");
        }
        tracker.download().expect("memory").volume()
    };
    assert_eq!(run(), run());
}
