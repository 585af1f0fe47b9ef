//! No race in shared memory: `cargo test --features race-check`.
#![cfg(feature = "race-check")]
use blur::{BlurOptions, blur};
use ribbonmesh::device::race::assert_none;
use ribbonmesh::mesh::shapes;
use ribbonmesh::prelude::*;

#[test]
fn no_race() {
    let mut mesh = shapes::bumpy_sphere(3, 1).expect("small");
    let height = mesh.positions.iter().map(|p| p.z as f32).collect::<Vec<_>>();
    mesh.vertices_mut().insert("height", height).expect("rows");
    let mut surface = Surface::new(&Device::cpu(), &mesh, &MeshOptions::default()).expect("a mesh");
    surface.patches().expect("patches");
    let report = assert_none("a blur", || blur(&mut surface, &BlurOptions::new("height")).expect("blurred"));
    assert!(report.barriers > 0);
}
