//! Races in shared memory: none in the kernels as written, and one for each barrier that is left out. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::needed_barriers;
use ribbonmesh::device::{Edge, Face, Vertex};
use ribbonmesh::{Device, MeshOptions, Op, StaticMesh};
use ribbonmesh_suite::meshes::{self, Case};

use std::collections::BTreeMap;

type Work<'a> = (String, Box<dyn Fn() -> ribbonmesh::Result<()> + 'a>);

fn works(mesh: &StaticMesh) -> Vec<Work<'_>> {
    let mut works: Vec<Work<'_>> = vec![];
    for op in Op::ALL {
        works.push((op.to_string(), Box::new(move || mesh.query(op).map(drop))));
        let n = mesh.query(op).map_or(0, |r| r.rows());
        let all = mesh.device().upload(&vec![1; n]).expect("memory");
        works.push((format!("{op} active"), Box::new(move || mesh.query_active(op, &all).map(drop))));
    }
    for op in Op::ALL.into_iter().filter(|op| op.has_orientation()) {
        works.push((format!("{op} oriented"), Box::new(move || mesh.query_oriented(op).map(drop))));
    }
    works.push(("boundary vertices".into(), Box::new(|| mesh.boundary::<Vertex>().map(drop))));
    works.push(("boundary edges".into(), Box::new(|| mesh.boundary::<Edge>().map(drop))));
    works.push(("boundary faces".into(), Box::new(|| mesh.boundary::<Face>().map(drop))));
    works.push(("3-ring".into(), Box::new(|| mesh.k_ring(3).map(drop))));
    works
}

/// Meshes that take the same way through every kernel.
fn groups() -> Vec<Vec<Case>> {
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    degenerate.name = "degenerate faces".into();
    vec![vec![meshes::torus(14), meshes::grid(14)], vec![meshes::book(40)], vec![degenerate]]
}

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu();
    let options = MeshOptions { patch_size: 64, ..MeshOptions::default() };
    for group in groups() {
        let mesh =
            |case: &Case| StaticMesh::new(&device, case.vertices, &case.faces, &options).expect("a mesh");
        let meshes: Vec<(&Case, StaticMesh)> = group.iter().map(|case| (case, mesh(case))).collect();
        // by name: for each barrier, whether a race was found without it
        let mut matters: BTreeMap<String, Vec<bool>> = BTreeMap::new();
        for (case, mesh) in &meshes {
            let mut works = works(mesh);
            works.push((
                "construction".into(),
                Box::new(|| StaticMesh::new(&device, case.vertices, &case.faces, &options).map(drop)),
            ));
            for (name, work) in works {
                if work().is_err() {
                    continue; // EVDiamond of non-manifold edges
                }
                let needed = needed_barriers(format!("{name} of {}", case.name), work);
                let found = matters.entry(name).or_default();
                found.resize(found.len().max(needed.len()), false);
                found.iter_mut().zip(needed).for_each(|(found, needed)| *found |= needed);
            }
        }
        if group[0].name != "torus" {
            matters.remove("construction"); // one patch, no ribbon
        }
        for (name, mut found) in matters {
            if name == "3-ring" {
                // its last barrier ends the last round of a loop over patches
                found.pop();
            }
            if !meshes[0].1.edge_manifold() && (name == "VV oriented" || name == "VE oriented") {
                // the barrier that ends VF, which another query follows
                found.remove(2);
            }
            assert!(found.iter().all(|m| *m), "{name} of {}: {found:?}", group[0].name);
        }
    }
}
