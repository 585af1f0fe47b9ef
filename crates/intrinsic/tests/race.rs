//! Races in shared memory: none, since blocks exchange values by collectives alone. With `--features
//! race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::assert_none;
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_intrinsic::{LaplacianOptions, laplacian};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let mut shape = shapes::torus(40, 1).expect("small");
    shapes::add_noise(&mut shape, 0.3, 5);
    shape.faces.truncate(3000);
    let surface = Surface::new(&Device::cpu(), &shape, &MeshOptions::default()).expect("a surface");
    assert_none("the Laplacian", || {
        let found = laplacian(&surface, &LaplacianOptions::default()).expect("a matrix");
        assert!(found.report().flips > 0);
    });
}
