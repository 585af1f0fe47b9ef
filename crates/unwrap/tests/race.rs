//! Races in shared memory: none, since blocks exchange values by collectives alone. With `--features
//! race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh::mesh::shapes;
use ribbonmesh_unwrap::{UnwrapOptions, unwrap};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let mut shape = shapes::torus(40, 1).expect("small");
    shapes::add_noise(&mut shape, 0.3, 5);
    shape.faces.truncate(3000);
    assert_none("unwrapping", || {
        let report = unwrap(&Device::cpu(), &mut shape.clone(), &UnwrapOptions::default()).expect("charts");
        assert!(report.steps > 0);
    });
}
