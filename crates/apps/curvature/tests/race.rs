//! Test that the kernels have no race in shared memory, and that leaving out any barrier makes one. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
mod oracle;
use common::meshes;
use oracle::Model;
use ribbonmesh::Device;
use ribbonmesh::device::race::{leave_out, take_report};
use ribbonmesh::glam::Vec3;
use ribbonmesh_curvature::{Area, curvatures_of};

/// One test only: the state of the checker belongs to the process.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu();
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    for case in [meshes::torus(14), meshes::grid(14), meshes::book(40), degenerate] {
        let x = (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let model = Model::new(&device, &case.name, x, &case.faces, 64);
        for area in Area::ALL {
            let work = || curvatures_of(&model.mesh, &model.positions, area).map(drop);
            take_report();
            work().expect("curvatures");
            let report = take_report();
            assert_eq!(report.races, 0, "{area} of {}: {:?}", model.name, report.first);
            assert!(report.barriers > 0);
            for barrier in 0..report.barriers {
                leave_out(Some(barrier));
                let result = work();
                leave_out(None);
                assert!(result.is_ok());
                assert!(take_report().races > 0, "{area} of {}: barrier {barrier}", model.name);
            }
        }
    }
}
