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
use ribbonmesh_normals::{Ring, Weight, normals_of, normals_with_ring};

type Work<'a> = (String, Box<dyn Fn() -> ribbonmesh::Result<()> + 'a>);

fn works(model: &Model) -> Vec<Work<'_>> {
    let Model { mesh, positions, ring, .. } = model;
    let mut works: Vec<Work<'_>> = vec![("a ring".into(), Box::new(move || Ring::new(mesh).map(drop)))];
    for weight in Weight::ALL {
        works.push((format!("by {weight}"), Box::new(move || normals_of(mesh, positions, weight).map(drop))));
        works.push((
            format!("by {weight} with a ring"),
            Box::new(move || normals_with_ring(mesh, ring, positions, weight).map(drop)),
        ));
    }
    works
}

/// One test only: the state of the checker belongs to the process.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    for case in [meshes::torus(14), meshes::grid(14), meshes::book(40), degenerate] {
        let x = (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let model = Model::new(&device, &case.name, x, &case.faces, 64);
        for (name, work) in works(&model) {
            take_report();
            work().expect("normals");
            let report = take_report();
            assert_eq!(report.races, 0, "{name} of {}: {:?}", model.name, report.first);
            assert!(report.barriers > 0);
            for barrier in 0..report.barriers {
                leave_out(Some(barrier));
                let result = work();
                leave_out(None);
                assert!(result.is_ok());
                assert!(take_report().races > 0, "{name} of {}: barrier {barrier}", model.name);
            }
        }
    }
}
