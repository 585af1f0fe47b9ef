//! Races in shared memory: none in the kernels as written, and one for each barrier that is left out. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::assert_none;
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_dynamic::{PatchStore, StoreOp, StoreOptions};
use ribbonmesh_suite::meshes;

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    for case in [meshes::torus(14), meshes::book(40), meshes::soup(40, 300, 8)] {
        let new = || {
            let patches = MeshOptions { patch_size: 32, ..MeshOptions::default() };
            PatchStore::new(&device, case.vertices, &case.faces, &patches, &StoreOptions::default())
        };
        assert_none("making a store", || new().map(drop));
        let store = new().expect("a store");
        for op in StoreOp::ALL {
            assert_none(op.name(), || store.query(op).map(drop));
        }
        assert_none("validation", || store.validate().map(drop));
    }
}
