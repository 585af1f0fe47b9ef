//! No race in shared memory: `cargo test --features race-check`.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::Vec3;
use ribbonmesh::device::race::assert_none;
use thinning::thin;

#[test]
fn no_race() {
    let n = 30;
    let positions: Vec<Vec3> = (0..n * n).map(|k| Vec3::new((k / n) as f32, (k % n) as f32, 0.0)).collect();
    let lower = (0..n * (n - 1)).filter(|k| k % n + 1 < n);
    let faces: Vec<[u32; 3]> = lower.flat_map(|a| [[a, a + n, a + n + 1], [a, a + n + 1, a + 1]]).collect();
    assert_none("thinning", || {
        let priorities = vec![1.0; faces.len()];
        let thinned = thin(&Device::cpu(), &positions, &faces, &priorities, 1.0).expect("a surface");
        assert!(thinned.report.executed > 100, "{:?}", thinned.report);
    });
}
