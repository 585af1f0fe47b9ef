//! Races in shared memory where patches are refreshed: none in the kernels as written, and one for each
//! barrier that is left out. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::{leave_out, take_report};
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
            take_report();
            dynamic.refresh(&PatchOptions::NEVER).map(drop)
        };
        refresh().expect("patches");
        let report = take_report();
        assert_eq!(report.races, 0, "{name}: {:?}", report.first);
        // ribbons have vertices, edges and faces where there are several patches
        if mesh.patches() > 1 && name != "sphere and grid" {
            for barrier in 0..report.barriers {
                leave_out(Some(barrier));
                let result = refresh();
                leave_out(None);
                assert!(result.is_ok());
                assert!(take_report().races > 0, "{name}: barrier {barrier} of {}", report.barriers);
            }
            seen += 1;
        }
    }
    assert!(seen > 2);
}
