//! No race in shared memory, and the barriers are needed: `cargo test --features race-check`.
#![cfg(feature = "race-check")]
use curvature::Surface;
use ribbonmesh::Device;
use ribbonmesh::device::Vec3;
use ribbonmesh::device::race::{assert_none, needed_barriers};

#[test]
fn no_race() {
    let n = 30;
    let at = |k: u32| Vec3::new((k / n) as f32, (k % n) as f32, if k.is_multiple_of(17) { 9.0 } else { 0.0 });
    let positions: Vec<Vec3> = (0..n * n).map(at).collect();
    let lower = (0..n * (n - 1)).filter(|k| k % n + 1 < n);
    let faces: Vec<[u32; 3]> = lower.flat_map(|a| [[a, a + n, a + n + 1], [a, a + n + 1, a + 1]]).collect();
    let surface = Surface::new(&Device::cpu(), &positions, &faces).expect("a mesh");
    assert_none("spikes", || surface.despiked(1.0).expect("positions"));

    // without its first barrier a kernel reads what other threads have not written yet
    let needed = needed_barriers("curvature", || surface.curvature().map(drop));
    assert_eq!(needed.first(), Some(&true));
}
