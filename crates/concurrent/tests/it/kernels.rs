//! Blocks that contend: on a GPU as many as it runs, on the CPU as many as it has threads.
use crate::common::{self, Random, size};
use ribbonmesh::device::Out;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_concurrent::{CuckooTable, LinearTable, Locks, Queue};
use ribbonmesh_testing::concurrent::locks::TakeTurns;
use ribbonmesh_testing::concurrent::queue::WorkOff;
use ribbonmesh_testing::concurrent::tables::{CUCKOO, DIRECT, LINEAR, UseTables};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Words as the host leaves them that works on them.
fn words(n: u32, work: impl FnOnce(&[AtomicU32])) -> Vec<u32> {
    let words: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
    work(&words);
    words.into_iter().map(AtomicU32::into_inner).collect()
}

/// Sets of locks, `each` in one; returns the times that blocks gave back.
fn take_turns(device: &Device, blocks: u32, turns: u32, locks: u32, sets: &[Vec<u32>]) -> u64 {
    let each = sets[0].len() as u32;
    let flat: Vec<u32> = sets.concat();
    let wanted = device.upload(&flat).expect("memory");
    // free, and no thread wants it
    let free = words(Locks::<Out<'_, u32>>::words_for(locks), |words| {
        (0..locks).for_each(|lock| Locks::new(words, 0).clear(lock));
    });
    let mut words = device.upload(&free).expect("memory");
    let mut counters = device.zeros::<u32>(locks as usize).expect("memory");
    let mut refused = device.zeros::<u32>(blocks as usize).expect("memory");
    let kernel = TakeTurns {
        turns,
        tries: 8,
        sets: sets.len() as u32,
        each,
        wanted: wanted.view(),
        locks: words.view_mut(),
        counters: counters.view_mut(),
        refused: refused.view_mut(),
    };
    device.launch(blocks, kernel).expect("a launch");
    let mut expected = vec![0; locks as usize];
    for block in 0..blocks as usize {
        for &lock in &sets[block % sets.len()] {
            expected[lock as usize] += turns;
        }
    }
    assert_eq!(counters.read().expect("no status"), expected);
    assert_eq!(words.read().expect("no status"), free, "all are free again");
    refused.read().expect("no status").into_iter().map(u64::from).sum()
}

fn shuffled(n: u32, random: &mut Random) -> Vec<u32> {
    let mut all: Vec<u32> = (0..n).collect();
    for i in (1..n).rev() {
        all.swap(i as usize, random.below(i + 1) as usize);
    }
    all
}

fn read(buffer: &Buffer<u32>) -> Vec<u32> {
    buffer.read().expect("no status")
}

suite! {
    /// One lock is taken by as many blocks as fit on the machine, and by more blocks.
    fn one_lock_for_all_blocks(device) {
        take_turns(device, size(600, 40), size(10, 3), 1, &[vec![0]]);
    }
    /// A clique of 64: every block wants every lock, each in an order of its own.
    fn every_lock_for_every_block(device) {
        let mut random = Random(3);
        let sets: Vec<_> = (0..97).map(|_| shuffled(64, &mut random)).collect();
        take_turns(device, size(300, 20), 2, 64, &sets);
    }
    /// Circles: block i wants locks i and i + 1, half of them the other way round.
    fn neighbours_in_opposite_orders(device) {
        let n = size(500, 50);
        let sets: Vec<_> = (0..n).map(|i| if i % 2 == 0 { vec![i, (i + 1) % n] } else { vec![(i + 1) % n, i] }).collect();
        take_turns(device, n, 20, n, &sets);
    }
    /// Seven patches of a neighbourhood, in any order, as blocks of a mesh want them.
    fn neighbourhoods(device) {
        let (n, mut random) = (size(2000, 100), Random(11));
        let sets: Vec<_> = (0..n)
            .map(|i| shuffled(7, &mut random).into_iter().map(|k| (i + k * k) % n).collect())
            .collect();
        take_turns(device, n, 10, n, &sets);
    }
    /// Every value is handed out, including values that are put back again and again; all blocks find the
    /// end.
    fn a_queue_of_work_that_makes_work(device) {
        let cases = [(1, 0, 1), (200, 3, 1), (5000, 1, 300), (size(30_000, 500), 0, size(3000, 100)), (64, 20, 500)];
        for (most, retries, blocks) in cases {
            let first = words(Queue::<Out<'_, u32>>::words_for(2 * most + 2), |words| {
                // the numbers of pops and pushes wrap around on the way
                words[..2].iter().for_each(|number| number.store(u32::MAX - most / 2, Relaxed));
                Queue::new(words).begin(1).expect("room");
            });
            let mut queue = device.upload(&first).expect("memory");
            let mut seen = device.zeros::<u32>(2 * most as usize + 2).expect("memory");
            let mut full = device.zeros::<u32>(1).expect("memory");
            let kernel = WorkOff {
                most,
                retries,
                queue: queue.view_mut(),
                seen: seen.view_mut(),
                full: full.view_mut(),
            };
            device.launch(blocks, kernel).expect("a launch");
            assert_eq!(read(&full), [0]);
            let seen = read(&seen);
            assert_eq!(seen[0], 0);
            assert!(seen[1..2 * most as usize].iter().all(|&times| times == retries + 1), "{most} values, {blocks} blocks");
            assert_eq!(read(&queue)[2], 0, "no work is open");
        }
    }
    /// Entries that do not fit are counted, and the others are processed.
    fn a_queue_that_is_too_small_says_so(device) {
        let first = words(Queue::<Out<'_, u32>>::words_for(4), |words| {
            Queue::new(words).begin(1).expect("room");
        });
        let mut queue = device.upload(&first).expect("memory");
        let mut seen = device.zeros::<u32>(258).expect("memory");
        let mut full = device.zeros::<u32>(1).expect("memory");
        let kernel = WorkOff {
            most: 128,
            retries: 0,
            queue: queue.view_mut(),
            seen: seen.view_mut(),
            full: full.view_mut(),
        };
        device.launch(1, kernel).expect("a launch");
        let (done, lost): (u32, u32) = (read(&seen).iter().sum(), read(&full)[0]);
        assert!(lost > 0, "{done} done");
        // each that was done and below 128 has made two, of which some were lost
        let makers: u32 = read(&seen)[..128].iter().sum();
        assert_eq!(done + lost, 2 * makers + 1);
        assert_eq!(read(&queue)[2], 0, "no work is open");
    }
    /// The same sums by linear probing, by cuckoo hashing, and without hashes.
    fn tables_in_shared_memory(device) {
        let mut random = Random(5);
        for (n, blocks) in [(1, 1), (5, 3), (100, 8), (777, 20), (3000, 4)] {
            let most = (2 * n + 50).min(8191);
            let mut entries = vec![];
            for _ in 0..blocks {
                entries.extend(shuffled(most, &mut random)[..n as usize].iter().map(|&key| [key, random.next() >> 12]));
            }
            let entries = device.upload(&entries).expect("memory");
            let run = |kind: u32, words: u32| {
                let mut sums = device.zeros::<u32>(blocks as usize).expect("memory");
                let mut failed = device.zeros::<u32>(blocks as usize).expect("memory");
                let kernel = UseTables {
                    kind,
                    words,
                    n,
                    builds: 2,
                    lookups: 3,
                    entries: entries.view(),
                    sums: sums.view_mut(),
                    failed: failed.view_mut(),
                };
                device.launch(blocks, kernel).expect("a launch");
                assert!(read(&failed).iter().all(|&n| n == 0));
                read(&sums)
            };
            let expected = run(DIRECT, most);
            assert_eq!(run(LINEAR, LinearTable::<Out<'_, u32>>::words_for(n)), expected, "{n} entries");
            assert_eq!(run(CUCKOO, CuckooTable::<Out<'_, u32>>::words_for(n)), expected, "{n} entries");
        }
    }
    /// Entries that do not fit are counted.
    fn a_table_that_is_too_small_says_so(device) {
        let entries: Vec<[u32; 2]> = (0..100).map(|key| [key, key]).collect();
        let entries = device.upload(&entries).expect("memory");
        for kind in [LINEAR, CUCKOO] {
            let mut sums = device.zeros::<u32>(1).expect("memory");
            let mut failed = device.zeros::<u32>(1).expect("memory");
            let kernel = UseTables {
                kind,
                words: 90,
                n: 100,
                builds: 1,
                lookups: 0,
                entries: entries.view(),
                sums: sums.view_mut(),
                failed: failed.view_mut(),
            };
            device.launch(1, kernel).expect("a launch");
            assert!(read(&failed)[0] >= 10);
        }
    }
}
