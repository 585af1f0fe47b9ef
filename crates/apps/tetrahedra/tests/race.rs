//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::take_report;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_tetrahedra::{CellSize, InsideRule, TetrahedraOptions, tetrahedralize};

#[test]
fn no_race() {
    take_report();
    let ball = shapes::icosphere(3).expect("a sphere");
    let surface = Surface::new(&Device::cpu(), &ball, &MeshOptions::default()).expect("a surface");
    for inside in InsideRule::ALL {
        let options = TetrahedraOptions { inside, ..TetrahedraOptions::new(CellSize::Length(0.3)) };
        let found = tetrahedralize(&surface, &options).expect("tetrahedra");
        let around = found.to_mesh().expect("a mesh").surface().expect("memory");
        found.nearest_faces(&around, &surface).expect("memory");
    }
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
}
