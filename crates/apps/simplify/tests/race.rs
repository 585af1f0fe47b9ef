//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
mod support;
use ribbonmesh::Device;
use ribbonmesh::device::race::take_report;
use ribbonmesh_mesh::shapes;
use ribbonmesh_simplify::{SimplifyOptions, Target};

#[test]
fn no_race() {
    take_report();
    let shapes = [
        shapes::bumpy_sphere(4, 1).expect("small"),
        shapes::grid(40, 1).expect("small"),
        ribbonmesh_testing::trial::forms::cube(8),
    ];
    for shape in &shapes {
        let options = SimplifyOptions {
            target: Some(Target::Ratio(0.1)),
            feature_angle: Some(40.0),
            ..SimplifyOptions::default()
        };
        support::run(&Device::cpu(), shape, &options);
    }
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
}
