//! Test that shared memory has no races. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
mod support;
use ribbonmesh::device::race::take_report;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_remesh::{Adaptive, ClusterOptions, Density, Length, RemeshOptions, remesh_by_clusters};
use support::remesh;

#[test]
fn no_race_of_clusters() {
    for shape in [shapes::bumpy_sphere(3, 1).expect("small"), shapes::grid(20, 1).expect("small")] {
        let mut surface = Surface::new(&Device::cpu(), &shape, &MeshOptions::default()).expect("a mesh");
        let options = ClusterOptions { density: Density::Vertices(40), ..ClusterOptions::default() };
        take_report();
        remesh_by_clusters(&mut surface, &options).expect("a manifold");
        let report = take_report();
        assert_eq!(report.races, 0, "{:?}", report.first);
        assert!(report.barriers > 0);
    }
}
#[test]
fn no_race() {
    for shape in [shapes::bumpy_sphere(3, 1).expect("small"), shapes::grid(20, 1).expect("small")] {
        let points: Vec<Vec3> = shape.points();
        for adaptive in [None, Some(Adaptive::default())] {
            take_report();
            let options = RemeshOptions {
                length: Length::Mean(0.7),
                feature_angle: Some(50.0),
                project: true,
                adaptive,
                ..RemeshOptions::default()
            };
            remesh(&Device::cpu(), &points, &shape.faces, &options).expect("a manifold");
            let report = take_report();
            assert_eq!(report.races, 0, "{:?}", report.first);
            assert!(report.barriers > 0);
        }
    }
}
