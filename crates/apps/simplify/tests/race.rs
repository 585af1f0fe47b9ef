//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
// Race tests are programs of their own: the state of the checker is that of the process.
#[path = "it/support.rs"]
mod support;
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_mesh::shapes;
use ribbonmesh_simplify::{SimplifyOptions, Target};

#[test]
fn no_race() {
    let report = assert_none("simplification", || {
        let shapes = [
            shapes::bumpy_sphere(4, 1).expect("small"),
            shapes::grid(40, 1).expect("small"),
            ribbonmesh_suite::forms::cube(8),
        ];
        for shape in &shapes {
            let options = SimplifyOptions {
                target: Some(Target::Ratio(0.1)),
                feature_angle: Some(40.0),
                ..SimplifyOptions::default()
            };
            support::run(&Device::cpu(), shape, &options);
        }
    });
    assert!(report.barriers > 0);
}
