//! Test that shared memory has no races. With `--features race-check`, on the CPU.
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh::glam::Vec3;
use ribbonmesh_mesh::shapes;
use ribbonmesh_track::collide::{CollideOptions, keep_apart};

pub fn no_race() {
    let device = Device::cpu();
    let sphere = shapes::icosphere(2).expect("small");
    let before = sphere.points();
    // all vertices move to one point
    let after = vec![Vec3::ZERO; before.len()];
    let (before, faces) = (device.upload(&before), device.upload(sphere.faces.as_flattened()));
    let (before, faces) = (before.expect("memory"), faces.expect("memory"));
    let mut after = device.upload(&after).expect("memory");
    let options = CollideOptions::default();
    let report =
        assert_none("a sphere", || keep_apart(&before, &mut after, &faces, &options).expect("apart"));
    assert!(report.barriers > 0);
}
