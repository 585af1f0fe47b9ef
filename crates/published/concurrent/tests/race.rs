//! Races in shared memory: none, and each barrier is needed. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::Out;
use ribbonmesh::device::race::{needed_barriers, take_report};
use ribbonmesh::{Device, Result};
use ribbonmesh_concurrent::{CuckooTable, LinearTable};
use ribbonmesh_testing::concurrent::tables::{CUCKOO, LINEAR, UseTables};

fn tables(device: &Device, kind: u32, words: u32) -> Result<()> {
    let entries: Vec<[u32; 2]> = (0..200).map(|key| [key * 3, key]).collect();
    let entries = device.upload(&entries).expect("memory");
    let mut sums = device.zeros::<u32>(1).expect("memory");
    let mut failed = device.zeros::<u32>(1).expect("memory");
    let kernel = UseTables {
        kind,
        words,
        n: 200,
        builds: 2,
        lookups: 2,
        entries: entries.view(),
        sums: sums.view_mut(),
        failed: failed.view_mut(),
    };
    // of this launch alone
    take_report();
    device.launch(1, kernel)
}

#[test]
fn no_race_and_no_barrier_too_many() {
    let device = Device::cpu();
    let kinds = [
        (LINEAR, LinearTable::<Out<'_, u32>>::words_for(200)),
        (CUCKOO, CuckooTable::<Out<'_, u32>>::words_for(200)),
    ];
    for (kind, words) in kinds {
        let needed = needed_barriers(format!("tables of kind {kind}"), || tables(&device, kind, words));
        assert!(!needed.contains(&false), "tables of kind {kind}: {needed:?}");
    }
}
