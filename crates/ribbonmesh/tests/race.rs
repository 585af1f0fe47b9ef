//! Races in shared memory: none in the kernels as written, and one for each barrier that is left out. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
mod common;
use common::meshes::{self, Case};
use ribbonmesh::device::race::{leave_out, take_report};
use ribbonmesh::device::{Edge, Face, Vertex};
use ribbonmesh::{Device, MeshOptions, Op, StaticMesh};

type Work<'a> = (String, Box<dyn Fn() -> ribbonmesh::Result<()> + 'a>);

fn works(mesh: &StaticMesh) -> Vec<Work<'_>> {
    let mut works: Vec<Work<'_>> = vec![];
    for op in Op::ALL {
        works.push((op.to_string(), Box::new(move || mesh.query(op).map(drop))));
        let n = mesh.query(op).map_or(0, |r| r.rows());
        let all = mesh.device().upload(&vec![1; n]).expect("memory");
        works.push((format!("{op} active"), Box::new(move || mesh.query_active(op, &all).map(drop))));
    }
    for op in [Op::VV, Op::VE, Op::VF] {
        works.push((format!("{op} oriented"), Box::new(move || mesh.query_oriented(op).map(drop))));
    }
    works.push(("boundary vertices".into(), Box::new(|| mesh.boundary::<Vertex>().map(drop))));
    works.push(("boundary edges".into(), Box::new(|| mesh.boundary::<Edge>().map(drop))));
    works.push(("boundary faces".into(), Box::new(|| mesh.boundary::<Face>().map(drop))));
    works.push(("3-ring".into(), Box::new(|| mesh.k_ring(3).map(drop))));
    works
}

/// One test: the checker's state is the process's.
#[test]
fn every_barrier_matters() {
    let device = Device::cpu();
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    degenerate.name = "degenerate".into();
    let cases: [Case; 3] = [meshes::torus(14), meshes::book(40), degenerate];
    // barriers of the first launch of each work that no mesh shows to matter
    for case in &cases {
        let options = MeshOptions { patch_size: 64, ..MeshOptions::default() };
        let mesh = StaticMesh::new(&device, case.vertices, &case.faces, &options).expect("a mesh");
        for (name, work) in works(&mesh) {
            take_report();
            if work().is_err() {
                continue; // EVDiamond of non-manifold edges
            }
            let report = take_report();
            assert_eq!(report.races, 0, "{name} of {}: {:?}", case.name, report.first);
            for barrier in 0..report.barriers {
                leave_out(Some(barrier));
                let result = work();
                leave_out(None);
                drop(result);
                let report = take_report();
                assert!(report.races > 0, "{name} of {}: barrier {barrier} of {} does not matter", case.name, report.barriers);
            }
        }
    }
}
