//! No race in shared memory, and the barriers are needed: `cargo test --features race-check`.
#![cfg(feature = "race-check")]
use curvature::Surface;
use ribbonmesh::Device;
use ribbonmesh::device::Vec3;
use ribbonmesh::device::race::{leave_out, take_report};

#[test]
fn no_race() {
    let n = 30;
    let at = |k: u32| Vec3::new((k / n) as f32, (k % n) as f32, if k.is_multiple_of(17) { 9.0 } else { 0.0 });
    let positions: Vec<Vec3> = (0..n * n).map(at).collect();
    let lower = (0..n * (n - 1)).filter(|k| k % n + 1 < n);
    let faces: Vec<[u32; 3]> = lower.flat_map(|a| [[a, a + n, a + n + 1], [a, a + n + 1, a + 1]]).collect();
    let surface = Surface::new(&Device::cpu(), &positions, &faces).expect("a mesh");
    take_report();
    surface.curvature().expect("curvature");
    surface.despiked(1.0).expect("positions");
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);

    // without its first barrier a kernel reads what other threads have not written yet
    leave_out(Some(0));
    surface.curvature().expect("curvature");
    leave_out(None);
    assert!(report.barriers > 0 && take_report().races > 0);
}
