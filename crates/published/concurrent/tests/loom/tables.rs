//! Tables.
use crate::{Model, model, words};
use loom::thread;
use ribbonmesh_concurrent::{CuckooTable, Entry, LinearTable};

/// Two threads insert two keys each.
fn fill(
    preemptions: usize,
    room: u32,
    clear: impl Fn(Model, u32) + Copy + Send + Sync + 'static,
    insert: impl Fn(Model, Entry) -> bool + Copy + Send + Sync + 'static,
    find: impl Fn(Model, u32) -> Option<Entry> + Copy + Send + Sync + 'static,
) {
    model(preemptions, move || {
        let memory = words(room);
        (0..room).for_each(|i| clear(memory, i));
        let entry = |key: u32| Entry::new(key, key % 7, key + 100).unwrap();
        let threads =
            [[1, 2], [3, 4]].map(|keys| thread::spawn(move || keys.map(|key| insert(memory, entry(key)))));
        assert_eq!(threads.map(|thread| thread.join().unwrap()), [[true; 2]; 2]);
        for key in 1..5 {
            assert_eq!(find(memory, key), Some(entry(key)));
        }
        assert_eq!(find(memory, 5), None);
    });
}
#[test]
fn linear_probing_by_two_threads() {
    fill(
        3,
        5,
        |memory, i| LinearTable::new(memory).clear(i),
        |memory, entry| LinearTable::new(memory).insert(entry).is_ok(),
        |memory, key| LinearTable::new(memory).find(key),
    );
}
#[test]
fn cuckoo_hashing_by_two_threads() {
    // two places for four keys: they are moved, and some end in the stash
    fill(
        3,
        2 + CuckooTable::<Model>::STASH,
        |memory, i| CuckooTable::new(memory).clear(i),
        |memory, entry| CuckooTable::new(memory).insert(entry).is_ok(),
        |memory, key| CuckooTable::new(memory).find(key),
    );
}
