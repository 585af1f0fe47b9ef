//! Test that shared memory has no races. With `--features race-check`, on the CPU.
// The tests of results have the model, in another program.
#[path = "../it/simplify/support.rs"]
mod support;
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target};

pub fn no_race() {
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
