//! Races in shared memory where patches are refreshed: none in the kernels as written, and one for each
//! barrier that is left out. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::{assert_each_barrier_needed, assert_none, take_report};
use ribbonmesh::dynamic::{DynamicMesh, PatchOptions};
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use ribbonmesh_suite::dynamic::manifolds;

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu();
    let options = MeshOptions { patch_size: 64, ..MeshOptions::default() };
    let mut seen = 0;
    for (name, shape) in manifolds() {
        let mesh = StaticMesh::new(&device, shape.positions.len(), &shape.faces, &options).expect("a mesh");
        let refresh = || {
            let mut dynamic = DynamicMesh::new(&mesh, 0.0).expect("a manifold");
            // of the refresh alone
            take_report();
            dynamic.refresh(&PatchOptions::NEVER).map(drop)
        };
        // ribbons have vertices, edges and faces where there are several patches
        if mesh.patches() > 1 && name != "sphere and grid" {
            assert_each_barrier_needed(name, refresh);
            seen += 1;
        } else {
            assert_none(name, || refresh().expect("patches"));
        }
    }
    assert!(seen > 2);
}
