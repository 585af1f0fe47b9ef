//! Races in shared memory of the kernel that has some, with and without its barrier. With
//! `--features race-check`.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::needed_barriers;
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
    let needed = needed_barriers("normals", || atomic_normals(&mesh, &positions, &mut normals));
    assert_eq!(needed, [true]);
}
