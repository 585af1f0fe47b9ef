//! Chains of owners.
use super::*;
use ribbonmesh_concurrent::First;
use std::sync::atomic::{AtomicU32, Ordering};

/// Patches of one vertex each, that name the next one as its owner.
#[derive(Clone, Copy)]
struct Line<'a> {
    tables: &'a [u32],
    patches: u32,
    /// The patch that owns the vertex, and the one that the last patch names.
    owner: u32,
    after_last: u32,
}
const WORDS: u32 = 10;
impl ReadStore for Line<'_> {
    fn row(self, patch: u32) -> StoreRow {
        StoreRow {
            first: [patch; 3],
            masks: 6 * patch,
            tables: WORDS * patch,
            stash: patch,
            capacity: [1; 3],
            table_words: [WORDS, 0, 0],
            stash_room: 1,
            count: [1; 3],
            neighbours: 1,
        }
    }
    fn ev(self, _: u32) -> u32 {
        0
    }
    fn fe(self, _: u32) -> u32 {
        0
    }
    fn mask(self, i: u32) -> u32 {
        u32::from(i == 6 * self.owner + 3)
    }
    fn table(self, i: u32) -> u32 {
        self.tables[i as usize]
    }
    fn stash(self, i: u32) -> u32 {
        if i + 1 < self.patches { i + 1 } else { self.after_last }
    }
    fn gone(self, _: usize, _: u32) -> Option<Handle> {
        None
    }
    fn patches(self) -> u32 {
        self.patches
    }
    fn limits(self) -> [u32; 3] {
        [1; 3]
    }
}
/// The tables of so many patches: an entry for local vertex 0 in each.
fn tables(patches: u32) -> Vec<u32> {
    let one: Vec<AtomicU32> = (0..WORDS).map(|_| AtomicU32::new(0)).collect();
    let table = CuckooTable::new(First::new(&one[..], WORDS));
    (0..WORDS).for_each(|i| table.clear(i));
    table.insert(Entry::new(0, 0, 0).expect("in range")).expect("room");
    let one: Vec<u32> = one.iter().map(|word| word.load(Ordering::Relaxed)).collect();
    one.repeat(patches as usize)
}

#[test]
fn chains_are_followed_as_far_as_their_bound() {
    let patches = MOST_STEPS + 4;
    let tables = tables(patches);
    let line = Line { tables: &tables, patches, owner: patches - 1, after_last: 0 };
    for from in 0..patches {
        let (steps, found) = (patches - 1 - from, line.owner(from, 0, 0));
        let owner = Owner { patch: patches - 1, local: 0, slot: patches - 1, steps };
        assert_eq!(found, (steps <= MOST_STEPS).then_some(owner), "from patch {from}");
    }
    assert_eq!(line.owner(0, 0, 1), None);
    assert_eq!(line.owner(patches, 0, 0), None);
}
#[test]
fn a_circle_and_a_missing_patch_end() {
    let tables = tables(5);
    for after_last in [0, 3, 5, u32::MAX] {
        let line = Line { tables: &tables, patches: 5, owner: u32::MAX / 8, after_last };
        assert_eq!(line.owner(2, 0, 0), None);
    }
}
