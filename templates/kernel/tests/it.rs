//! The kernel on both machines.

use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use {{crate_name}}::mean_distances;

/// A unit square of two triangles, and a vertex without faces.
fn check(device: &Device) {
    let points = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y, Vec3::splat(5.0)];
    let found = mean_distances(device, &points, &[[0, 1, 2], [0, 2, 3]]).expect("distances");
    let diagonal = (2.0 + 2.0_f32.sqrt()) / 3.0;
    let expected = [diagonal, 1.0, diagonal, 1.0, 0.0];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
}

#[test]
fn cpu() {
    check(&Device::cpu());
}

#[test]
#[ignore = "needs a GPU and `cargo run --example ptx` before: cargo test -- --ignored"]
fn cuda() {
    check(&Device::cuda(0).expect("a GPU"));
}
