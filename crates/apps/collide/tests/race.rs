//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::take_report;
use ribbonmesh::glam::Vec3;
use ribbonmesh_collide::{CollideOptions, keep_apart};
use ribbonmesh_mesh::shapes;

#[test]
fn no_race() {
    let device = Device::cpu();
    let sphere = shapes::icosphere(2).expect("small");
    let before = sphere.points();
    // all vertices move to one point
    let after = vec![Vec3::ZERO; before.len()];
    let (before, faces) = (device.upload(&before), device.upload(sphere.faces.as_flattened()));
    let (before, faces) = (before.expect("memory"), faces.expect("memory"));
    let mut after = device.upload(&after).expect("memory");
    take_report();
    keep_apart(&before, &mut after, &faces, &CollideOptions::default()).expect("apart");
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
}
