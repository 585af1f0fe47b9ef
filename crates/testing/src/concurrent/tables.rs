//! Tables of a ribbon in shared memory.
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_concurrent::{CuckooTable, Entry, LinearTable};

/// Linear probing.
pub const LINEAR: u32 = 0;
/// Cuckoo hashing.
pub const CUCKOO: u32 = 1;
/// No hashing: a word for each local index.
pub const DIRECT: u32 = 2;

/// Each block makes its table of the entries `(key, word of slot and index)` `builds` times, one at least,
/// and looks every key up `lookups` times. `sums[block]` adds up what it finds, and `failed[block]` counts
/// insertions that fail.
#[kernel(threads = 256, shared = (arena.take::<u32>(words), arena.take::<u32>(2)))]
pub fn use_tables<'a>(
    block: &Block,
    kind: u32,
    words: u32,
    n: u32,
    builds: u32,
    lookups: u32,
    entries: In<'a, [u32; 2]>,
    sums: Out<'a, u32>,
    failed: Out<'a, u32>,
) {
    let memory = block.shared::<u32>(words);
    let counts = block.shared::<u32>(2);
    let from = block.index() * n;
    let linear = LinearTable::new(memory);
    let cuckoo = CuckooTable::new(memory);
    let entry = |i: u32| {
        let [key, value] = entries.get(from + i);
        Entry::new(key, value >> 13, value & (Entry::INDICES - 1))
    };
    block.for_each_nosync(2, |i| counts.set(i, 0));
    for _ in 0..builds {
        block.for_each(words, |i| memory.set(i, u32::MAX));
        block.for_each(n, |i| {
            let Some(entry) = entry(i) else { return };
            let done = match kind {
                LINEAR => linear.insert(entry).is_ok(),
                CUCKOO => cuckoo.insert(entry).is_ok(),
                _ => {
                    memory.set(entry.key(), entry.slot() << 13 | entry.index());
                    true
                }
            };
            if !done {
                counts.fetch_add(1, 1);
            }
        });
    }
    for round in 0..lookups {
        block.for_each_nosync(n, |i| {
            // another key than it has inserted, as a query would
            let key = entries.get(from + (i * 7 + round) % n)[0];
            let found = match kind {
                LINEAR => linear.find(key).map(|entry| entry.slot() << 13 | entry.index()),
                CUCKOO => cuckoo.find(key).map(|entry| entry.slot() << 13 | entry.index()),
                _ => Some(memory.get(key)),
            };
            counts.fetch_add(0, found.unwrap_or(1 << 20));
        });
    }
    block.sync();
    block.for_each_nosync(1, |_| {
        sums.set(block.index(), counts.get(0));
        failed.set(block.index(), counts.get(1));
    });
}
