//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::take_report;
use ribbonmesh::glam::Vec3;
#[path = "it/flipped.rs"]
mod flipped;
use flipped::delaunay_faces;
use ribbonmesh_delaunay::DelaunayOptions;
use ribbonmesh_mesh::shapes;

#[test]
fn no_race() {
    for shape in [shapes::torus(40, 1).expect("small"), shapes::grid(40, 1).expect("small")] {
        let points: Vec<Vec3> = shape.points();
        for max_normal_deviation in [None, Some(5.0)] {
            take_report();
            let options = DelaunayOptions { max_normal_deviation, ..DelaunayOptions::default() };
            let (_, done) =
                delaunay_faces(&Device::cpu(), &points, &shape.faces, &options).expect("a manifold");
            let report = take_report();
            assert_eq!(report.races, 0, "{:?}", report.first);
            assert!(report.barriers > 0 && done.flips > 0);
        }
    }
}
