//! No race in shared memory: `cargo test --features race-check`.
#![cfg(feature = "race-check")]
use curvature::Surface;
use ribbonmesh::Device;
use ribbonmesh::device::race::take_report;

#[test]
fn no_race() {
    let n = 30;
    let positions: Vec<[f32; 3]> =
        (0..n * n).map(|k| [(k / n) as f32, (k % n) as f32, ((k % 17) / 16 * 9) as f32]).collect();
    let corner = |i: u32, j: u32| i * n as u32 + j;
    let faces: Vec<[u32; 3]> = (0..(n as u32 - 1) * (n as u32 - 1))
        .map(|k| (k / (n as u32 - 1), k % (n as u32 - 1)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let surface = Surface::new(&Device::cpu(), &positions, &faces).expect("a mesh");
    take_report();
    surface.curvature().expect("curvature");
    surface.despiked(1.0).expect("positions");
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
}
