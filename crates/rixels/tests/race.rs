//! Races in shared memory: none. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh::glam::{DMat4, DVec3, Vec3};
use ribbonmesh_rixels::{Options, Scene, Values, View, encode};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let device = Device::cpu();
    let positions = [Vec3::ZERO, 20.0 * Vec3::X, 20.0 * Vec3::Y, Vec3::new(-3.0, -2.0, 40.0)];
    let positions = device.upload(&positions).expect("memory");
    let faces = device.upload(&[0, 1, 2, 0, 3, 1]).expect("memory");
    let values = device.upload(&[1.0, 2.0, 3.0, 4.0]).expect("memory");
    let scene = Scene { positions: &positions, faces: &faces, values: Values::OfVertices(&values) };
    let eye = DMat4::from_translation(DVec3::new(0.0, 0.0, -30.0));
    let view = View::new(150, 130, eye, View::perspective(1.0, 1.0, 1.0, 100.0)).expect("a view");
    assert_none("a picture", || encode(&device, &scene, &view, &Options::default()).expect("rixels"));
}
