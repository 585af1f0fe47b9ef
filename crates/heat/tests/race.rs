//! Races in shared memory: none, since blocks exchange values by collectives alone. With `--features
//! race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::assert_none;
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_heat::{HeatMethod, HeatOptions};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let shape = shapes::torus(40, 1).expect("small");
    let surface = Surface::new(&Device::cpu(), &shape, &MeshOptions::default()).expect("a surface");
    assert_none("the heat method", || {
        let mut method = HeatMethod::new(&surface, &HeatOptions::default()).expect("levels");
        let (_, report) = method.distances(&[0, 7]).expect("distances");
        assert!(report.converged, "{report:?}");
    });
}
