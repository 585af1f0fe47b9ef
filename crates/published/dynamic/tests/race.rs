//! Races in shared memory: none in the kernels as written. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::Vec3;
use ribbonmesh::device::race::assert_none;
use ribbonmesh::{Device, MeshOptions, Vertex};
use ribbonmesh_dynamic::{
    Carried, PatchAttribute, PatchStore, QueueOrder, StoreChange, StoreOp, StoreOptions,
};
use ribbonmesh_suite::{Random, meshes};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    let mut moved = 0;
    for case in [meshes::grid(14), meshes::book(40), meshes::mobius(30)] {
        let new = || {
            let patches = MeshOptions { patch_size: 48, ..MeshOptions::default() };
            let options = StoreOptions { room: 4.0, ..StoreOptions::default() };
            PatchStore::new(&device, case.vertices, &case.faces, &patches, &options)
        };
        assert_none("making a store", || new().expect("a store"));
        let mut store = new().expect("a store");
        for op in StoreOp::ALL {
            assert_none(op.name(), || store.query(op).expect("rows"));
        }
        assert_none("validation", || store.validate().expect("a whole store"));
        assert_none("contention", || store.contention(QueueOrder::Random).expect("an end"));
        let mut random = Random(5);
        let mut number = || random.below(1000) as f32 / 2500.0;
        let x: Vec<Vec3> = (0..case.vertices as u32)
            .map(|i| Vec3::new((i % 14) as f32 + number(), (i / 14) as f32 + number(), 0.0))
            .collect();
        let mut x = PatchAttribute::<Vertex, Vec3>::from_input(&store, &x).expect("positions");
        assert_none("flips and cleanup", || {
            moved += store.flip_delaunay(&mut x).expect("flips").moved;
        });
        let mean = 1.2;
        for change in [
            StoreChange::Split { longest: 1.3 * mean },
            StoreChange::Collapse { shortest: 0.8 * mean, longest: 2.0 * mean },
            StoreChange::FlipValences,
        ] {
            assert_none("changes, enlarging and cleanup", || {
                let report = store.change_enlarging(change, &mut x, &mut Carried::none());
                moved += report.expect("room").moved;
            });
        }
        assert_none("smoothing", || store.smooth(&mut x, 2).expect("steps"));
        let options = StoreOptions::default();
        assert_none("compaction", || {
            store.compact(&mut x, &mut Carried::none(), &options).expect("a store");
        });
        store.validate().expect("a whole store");
    }
    assert!(moved > 0);
}
