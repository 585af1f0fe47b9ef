//! Races in shared memory: none in the primitives over arrays as written, and one for each barrier that is
//! left out. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::needed_barriers;
use ribbonmesh::{Device, Result, array};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu();
    let n = 5000;
    let values: Vec<u32> = (0..n).map(|i| i * i % 7).collect();
    let keys: Vec<u64> = (0..u64::from(n)).map(|i| i / 60 * 0x10_0001 % 0x7fff_ffff).collect();
    let (u32s, u64s) = (|| device.upload(&values), || device.upload(&keys));
    type Work<'a> = (&'static str, &'a dyn Fn() -> Result<()>);
    let cards = Device::cpu_as_cards(3);
    let works: [Work; 7] = [
        ("exclusive", &|| array::exclusive_scan(&mut u32s()?).map(drop)),
        ("inclusive", &|| array::inclusive_scan(&mut u32s()?).map(drop)),
        ("select", &|| array::select(&u32s()?).map(drop)),
        ("sort", &|| array::sort_pairs(&mut u64s()?, &mut u32s()?, 16)),
        ("sort of cards", &|| array::sort_pairs(&mut cards.upload(&keys)?, &mut cards.upload(&values)?, 16)),
        ("runs", &|| array::sum_by_key(&u64s()?, &u32s()?).map(drop)),
        ("sum", &|| array::sum(&u32s()?).map(drop)),
    ];
    for (name, work) in works {
        // sums that are wrong may be refused, and lead nowhere
        let mut found = needed_barriers(name, || {
            let outcome = catch_unwind(AssertUnwindSafe(work)).map_err(|_| "a panic".to_owned());
            outcome.and_then(|result| result.map_err(|error| error.to_string()))
        });
        // the last barriers are before the next tile, or the next component, of which there is none
        let spare = match name {
            "select" | "runs" => 1,
            "exclusive" | "inclusive" | "sum" => 2,
            _ => 0,
        };
        found.truncate(found.len() - spare);
        assert!(!found.is_empty() && found.iter().all(|race| *race), "{name}: {found:?}");
    }
}
