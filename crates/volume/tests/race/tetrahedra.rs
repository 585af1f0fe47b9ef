//! Test that shared memory has no races. With `--features race-check`, on the CPU.
use ribbonmesh::device::race::assert_none;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_volume::tetrahedra::{CellSize, InsideRule, TetrahedraOptions, tetrahedralize};

pub fn no_race() {
    let report = assert_none("tetrahedra", || {
        let ball = shapes::icosphere(3).expect("a sphere");
        let surface = Surface::new(&Device::cpu(), &ball, &MeshOptions::default()).expect("a surface");
        for inside in InsideRule::ALL {
            let options = TetrahedraOptions { inside, ..TetrahedraOptions::new(CellSize::Length(0.3)) };
            let found = tetrahedralize(&surface, &options).expect("tetrahedra");
            let around = found.to_mesh().expect("a mesh").surface().expect("memory");
            found.nearest_faces(&around, &surface).expect("memory");
        }
    });
    assert!(report.barriers > 0);
}
