//! Tables on one thread: all entries are found, nothing else is, and entries that do not fit are reported.
use proptest::prelude::*;
use ribbonmesh_concurrent::{CuckooTable, Entry, LinearTable, TableFull};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU32;

type Cuckoo<'a> = CuckooTable<&'a [AtomicU32]>;
type Linear<'a> = LinearTable<&'a [AtomicU32]>;

fn words(n: u32) -> Vec<AtomicU32> {
    (0..n).map(|_| AtomicU32::new(0)).collect()
}
fn entry(key: u32) -> Entry {
    Entry::new(key, key * 5 % Entry::SLOTS, (key * 77 + 3) % Entry::INDICES).unwrap()
}
/// `n` different keys.
fn keys(n: u32, seed: u32) -> Vec<u32> {
    let mut state = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let mut all: Vec<u32> = (0..Entry::KEYS).collect();
    for i in 0..n as usize {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let rest = all.len() - i;
        all.swap(i, i + (state >> 8) as usize % rest);
    }
    all.truncate(n as usize);
    all
}

#[test]
fn entries_keep_their_parts_or_are_refused() {
    for (key, slot, index) in [(0, 0, 0), (Entry::KEYS - 1, 63, 8191), (4097, 1, 8190), (1, 62, 4096)] {
        let made = Entry::new(key, slot, index).unwrap();
        assert_eq!((made.key(), made.slot(), made.index()), (key, slot, index));
    }
    assert_eq!(format!("{:?}", Entry::new(1, 2, 3).unwrap()), "Entry { key: 1, slot: 2, index: 3 }");
    for (key, slot, index) in [(Entry::KEYS, 0, 0), (0, 64, 0), (0, 0, 8192), (u32::MAX, 0, 0)] {
        assert_eq!(Entry::new(key, slot, index), None);
    }
}

#[test]
fn ribbons_of_all_sizes_at_a_load_of_0_8() {
    // keys of a ribbon follow each other, or are strewn
    for n in [0, 1, 2, 3, 7, 30, 100, 333, 800, 2000, 6500] {
        for seed in 0..40 {
            let keys = if seed % 2 == 0 { (seed * 3..seed * 3 + n).collect() } else { keys(n, seed) };
            let memory = words(Cuckoo::words_for(n));
            let cuckoo = CuckooTable::new(&memory[..]);
            (0..memory.len() as u32).for_each(|i| cuckoo.clear(i));
            let memory = words(Linear::words_for(n));
            let linear = LinearTable::new(&memory[..]);
            (0..memory.len() as u32).for_each(|i| linear.clear(i));
            for &key in &keys {
                cuckoo.insert(entry(key)).unwrap();
                linear.insert(entry(key)).unwrap();
            }
            assert!(
                cuckoo.stashed() <= if n < 100 { 2 } else { 0 },
                "{n} keys, seed {seed}: {} stashed",
                cuckoo.stashed()
            );
            let there: std::collections::BTreeSet<u32> = keys.iter().copied().collect();
            for key in 0..Entry::KEYS {
                let expected = there.contains(&key).then(|| entry(key));
                assert_eq!(cuckoo.find(key), expected);
                assert_eq!(linear.find(key), expected);
            }
        }
    }
}

#[test]
fn a_table_without_room_says_so() {
    let memory = words(3);
    let linear = LinearTable::new(&memory[..]);
    (0..3).for_each(|i| linear.clear(i));
    assert_eq!([5, 6, 7, 8].map(|key| linear.insert(entry(key))), [Ok(()), Ok(()), Ok(()), Err(TableFull)]);
    assert_eq!(
        [5, 6, 7, 8].map(|key| linear.find(key)),
        [5, 6, 7].map(|k| Some(entry(k))).into_iter().chain([None]).collect::<Vec<_>>()[..]
    );
    assert_eq!(LinearTable::new(&[][..] as &[AtomicU32]).insert(entry(0)), Err(TableFull));
    assert_eq!(LinearTable::new(&[][..] as &[AtomicU32]).find(0), None);
    // with no word but the stash it is a list
    for places in [0, 1, 4, 9] {
        let n = places + Cuckoo::STASH;
        let memory = words(n);
        let cuckoo = CuckooTable::new(&memory[..]);
        (0..n).for_each(|i| cuckoo.clear(i));
        let fits = (0..=n).take_while(|&key| cuckoo.insert(entry(key)).is_ok()).count() as u32;
        assert!(fits <= n && fits >= Cuckoo::STASH, "{fits} of {n}");
        // all but the one that has no place now
        assert_eq!((0..=fits).filter(|&key| cuckoo.find(key) == Some(entry(key))).count() as u32, fits);
    }
}

proptest! {
    /// Insertions and removals in any order, against a map.
    #[test]
    fn removed_and_inserted_again(
        moves in prop::collection::vec((0..300_u32, any::<bool>()), 0..600),
    ) {
        let n = Cuckoo::words_for(300);
        let memory = words(n);
        let table = CuckooTable::new(&memory[..]);
        (0..n).for_each(|i| table.clear(i));
        let mut known = BTreeMap::new();
        for (key, insert) in moves {
            if insert && !known.contains_key(&key) {
                prop_assert!(table.insert(entry(key)).is_ok());
                known.insert(key, entry(key));
            } else if !insert {
                prop_assert_eq!(table.remove(key), known.remove(&key));
            }
        }
        for key in 0..300 {
            prop_assert_eq!(table.find(key), known.get(&key).copied());
        }
    }
}
