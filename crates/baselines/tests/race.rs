//! Races in shared memory of the kernel that has some, with and without its barrier. With
//! `--features race-check`.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::{leave_out, take_report};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh};
use ribbonmesh_baselines::atomic_normals;

#[test]
fn no_race_and_the_barrier_matters() {
    let shape = ribbonmesh_mesh::shapes::torus(14, 1).expect("small");
    let options = MeshOptions { patch_size: 64, ..MeshOptions::default() };
    let mesh =
        StaticMesh::new(&Device::cpu(), shape.positions.len(), &shape.faces, &options).expect("a mesh");
    let x: Vec<Vec3> = shape.points();
    let positions = Attribute::from_input(&mesh, &x).expect("positions");
    let mut normals = Attribute::zeros(&mesh).expect("memory");
    take_report();
    atomic_normals(&mesh, &positions, &mut normals).expect("normals");
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    for barrier in 0..report.barriers {
        leave_out(Some(barrier));
        let result = atomic_normals(&mesh, &positions, &mut normals);
        leave_out(None);
        assert!(result.is_ok());
        assert!(take_report().races > 0, "barrier {barrier}");
    }
    assert_eq!(report.barriers, 1);
}
