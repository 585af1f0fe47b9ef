//! Test that the kernels have no race in shared memory, and that leaving out any barrier makes one. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
use common::meshes;
use ribbonmesh::device::race::{leave_out, take_report};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh};
use ribbonmesh_geodesic::{Geodesic, GeodesicOptions, Order, Ring};

type Work<'a> = (String, Box<dyn FnMut() -> ribbonmesh::Result<()> + 'a>);

/// One test only: the state of the checker belongs to the process.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    for case in [meshes::torus(14), meshes::grid(24), meshes::book(40), degenerate] {
        let options = MeshOptions { patch_size: 64, ..MeshOptions::default() };
        let mesh = StaticMesh::new(&device, case.vertices, &case.faces, &options).expect("a mesh");
        let x: Vec<Vec3> =
            (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let positions = Attribute::from_input(&mesh, &x).expect("positions");
        // enough sources that several blocks share a list
        let sources: Vec<u32> = (0..case.vertices as u32).step_by(2).collect();
        let mut works: Vec<Work<'_>> = vec![("a ring".into(), Box::new(|| Ring::new(&mesh).map(drop)))];
        for order in Order::ALL {
            let options = GeodesicOptions { order, ..GeodesicOptions::default() };
            let mut geodesic = Geodesic::new(&mesh, &positions).expect("a ring");
            let sources = &sources;
            let run = move || geodesic.run(sources, &options).map(drop);
            works.push((format!("by {order}"), Box::new(run)));
        }
        for (name, mut work) in works {
            take_report();
            work().expect("distances");
            let report = take_report();
            assert_eq!(report.races, 0, "{name} of {}: {:?}", case.name, report.first);
            // the last barrier of a ring ends a query; only the threads that wrote its rows read them
            let barriers = report.barriers - (name == "a ring") as u32;
            assert!(barriers > 0);
            for barrier in 0..barriers {
                leave_out(Some(barrier));
                let result = work();
                leave_out(None);
                assert!(result.is_ok());
                assert!(take_report().races > 0, "{name} of {}: barrier {barrier}", case.name);
            }
        }
    }
}
