//! Races in shared memory: none. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh::glam::Vec3;
use ribbonmesh_holes::{HoleOptions, fill};
use ribbonmesh_mesh::shapes::icosphere;
use ribbonmesh_solid::intersections::Triangles;

#[test]
fn no_race() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    let ball = icosphere(3).expect("small");
    // two balls whose open ends face each other
    let n = ball.positions.len() as u32;
    let other = ball.points().into_iter().map(|p| p + Vec3::Z * 1.7);
    let x: Vec<Vec3> = ball.points().into_iter().chain(other).collect();
    let mut faces: Vec<[u32; 3]> = ball.faces.iter().flat_map(|&face| [face, face.map(|v| v + n)]).collect();
    faces.retain(|face| !face.iter().all(|&v| (0.75..0.95).contains(&x[v as usize].z)));
    let (x, faces) =
        (device.upload(&x).expect("memory"), device.upload(faces.as_flattened()).expect("memory"));
    for exact in [0, 128] {
        let options = HoleOptions { exact, ..HoleOptions::of_edges(0.3) };
        let report = assert_none("holes", || {
            let filled = fill(Triangles { positions: &x, faces: &faces }, &options).expect("filled");
            assert!(filled.holes > 1 && filled.open == 0);
        });
        assert!(report.barriers > 0);
    }
}
