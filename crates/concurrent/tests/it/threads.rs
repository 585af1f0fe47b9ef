//! Threads of the host, as many as a block of a GPU has neighbours.
use ribbonmesh_concurrent::{CuckooTable, Entry, Locks, Queue, QueueFull};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::scope;

fn words(n: u32) -> Vec<AtomicU32> {
    (0..n).map(|_| AtomicU32::new(0)).collect()
}

/// Plain counters, each under its lock.
struct Guarded(Vec<UnsafeCell<u64>>);
// SAFETY: each cell is accessed only by the thread that has its lock.
unsafe impl Sync for Guarded {}

/// Every thread wants `wanted(thread, turn)`, in that order, at every turn; returns how often one had to give
/// all back.
fn contend(threads: u32, turns: u32, locks: u32, wanted: impl Fn(u32, u32) -> Vec<u32> + Sync) -> u32 {
    let memory = words(Locks::<&[AtomicU32]>::words_for(locks));
    let taken = Locks::new(&memory[..], 16);
    assert_eq!((taken.len(), taken.is_empty()), (locks, false));
    (0..locks).for_each(|i| taken.clear(i));
    let counts = Guarded((0..locks).map(|_| UnsafeCell::new(0)).collect());
    let refused = AtomicU32::new(0);
    scope(|s| {
        for number in 0..threads {
            let (counts, refused, wanted) = (&counts, &refused, &wanted);
            s.spawn(move || {
                let mut turn = 0;
                while turn < turns {
                    let order = wanted(number, turn);
                    let had = order.iter().take_while(|&&lock| taken.acquire(lock, number)).count();
                    if had == order.len() {
                        for &lock in &order {
                            // SAFETY: under its lock.
                            unsafe { *counts.0[lock as usize].get() += 1 };
                        }
                        turn += 1;
                    } else {
                        refused.fetch_add(1, Relaxed);
                    }
                    order[..had].iter().for_each(|&lock| taken.release(lock, number));
                }
            });
        }
    });
    for lock in 0..locks {
        let times: usize = (0..threads)
            .flat_map(|t| (0..turns).map(move |turn| (t, turn)))
            .map(|(t, turn)| wanted(t, turn).iter().filter(|&&l| l == lock).count())
            .sum();
        // SAFETY: no thread is left.
        assert_eq!(unsafe { *counts.0[lock as usize].get() }, times as u64, "lock {lock}");
    }
    refused.into_inner()
}

#[test]
fn one_lock_for_all() {
    contend(8, 500, 1, |_, _| vec![0]);
}
#[test]
fn every_lock_for_everybody() {
    // a clique of 64, taken in a different order by each
    contend(6, 40, 64, |thread, turn| (0..64).map(|i| (i * 29 + thread * 17 + turn) % 64).collect());
}
#[test]
fn neighbours_in_opposite_orders() {
    contend(4, 2000, 6, |thread, turn| {
        let (a, b) = (thread + turn % 3, (thread + 1 + turn % 2) % 6);
        if a == b { vec![a] } else { vec![a, b] }
    });
}

#[test]
fn work_that_makes_work_ends() {
    // each value below 1000 makes two more
    let memory = words(Queue::<&[AtomicU32]>::words_for(2048));
    let queue = Queue::new(&memory[..]);
    let seen = words(2048);
    queue.begin(1).unwrap();
    scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                let mut again = 0;
                while queue.open() > 0 {
                    let Some(value) = queue.pop() else {
                        std::thread::yield_now();
                        continue;
                    };
                    again += 1;
                    if again % 5 == 0 {
                        // put back once in a while, as one whose locks were refused
                        queue.push(value).unwrap();
                        continue;
                    }
                    seen[value as usize].fetch_add(1, Relaxed);
                    if value < 1000 {
                        queue.begin(2 * value).unwrap();
                        queue.begin(2 * value + 1).unwrap();
                    }
                    queue.done();
                }
            });
        }
    });
    assert!(seen[1..2000].iter().all(|count| count.load(Relaxed) == 1));
    assert!(seen[2000..].iter().all(|count| count.load(Relaxed) == 0));
    assert_eq!((queue.pop(), queue.open()), (None, 0));
}

#[test]
fn a_full_queue_says_so_and_keeps_what_it_has() {
    for (n, capacity) in [(1, 1), (2, 2), (5, 8), (64, 64)] {
        let memory = words(Queue::<&[AtomicU32]>::words_for(n));
        // numbers that wrap around on the way
        memory[0].store(u32::MAX - 2, Relaxed);
        memory[1].store(u32::MAX - 2, Relaxed);
        let queue = Queue::new(&memory[..]);
        assert_eq!(queue.capacity(), capacity);
        for turn in 0..7 {
            (0..capacity).for_each(|i| queue.begin(i + turn).unwrap());
            assert_eq!((queue.begin(99), queue.open()), (Err(QueueFull), capacity));
            for i in 0..capacity {
                assert_eq!(queue.pop(), Some(i + turn));
                queue.done();
            }
            assert_eq!((queue.pop(), queue.open()), (None, 0));
        }
    }
    let none = Queue::new(&[][..] as &[AtomicU32]);
    assert_eq!(none.capacity(), 0);
}

#[test]
fn threads_insert_into_a_table_that_is_nearly_full() {
    // all places are taken, so that threads move each other's entries
    let n = 12 + CuckooTable::<&[AtomicU32]>::STASH;
    let memory = words(n);
    let table = CuckooTable::new(&memory[..]);
    let entry = |key: u32| Entry::new(key, key % 64, key).unwrap();
    for round in 0..3000 {
        (0..n).for_each(|i| table.clear(i));
        let first = round * 5 % 4000;
        let failed = AtomicU32::new(0);
        scope(|s| {
            for keys in [0..8, 8..16] {
                let failed = &failed;
                s.spawn(move || {
                    for key in keys {
                        failed.fetch_add(table.insert(entry(first + key)).is_err() as u32, Relaxed);
                    }
                });
            }
        });
        let found = (0..16).filter(|&key| table.find(first + key) == Some(entry(first + key))).count() as u32;
        assert_eq!(found + failed.into_inner(), 16, "round {round}");
    }
}
