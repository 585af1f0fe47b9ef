//! Locks and the gate.
use crate::{Guarded, Model, model, words};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use ribbonmesh_concurrent::{Gate, Locks};

/// Threads take locks in the orders given, and give all back where one is refused. With `again` they try
/// until they had all of them; else once, and the one with the least number has them then.
fn contend(preemptions: usize, tries: u32, again: bool, locks: u32, orders: &'static [&'static [u32]]) {
    model(preemptions, move || {
        let taken = Locks::new(words(Locks::<Model>::words_for(locks)), tries);
        (0..locks).for_each(|i| taken.clear(i));
        let guarded = Arc::new(Guarded((0..locks).map(|_| UnsafeCell::new(0)).collect()));
        let run = move |number: u32, guarded: &Guarded| {
            let order = orders[number as usize];
            loop {
                let had = order.iter().take_while(|&&lock| taken.acquire(lock, number)).count();
                let all = had == order.len();
                if all {
                    for &lock in order {
                        // SAFETY: under its lock.
                        guarded.0[lock as usize].with_mut(|x| unsafe { *x += 1 });
                    }
                }
                order[..had].iter().rev().for_each(|&lock| taken.release(lock, number));
                if all || !again {
                    return all;
                }
                thread::yield_now();
            }
        };
        let others: Vec<_> = (1..orders.len() as u32)
            .map(|number| {
                let guarded = guarded.clone();
                thread::spawn(move || run(number, &guarded))
            })
            .collect();
        let mut had = vec![run(0, &guarded)];
        had.extend(others.into_iter().map(|thread| thread.join().unwrap()));
        assert!(had[0], "the least number gets what it wants");
        for lock in 0..locks {
            let wanted =
                orders.iter().zip(&had).filter(|(order, had)| **had && order.contains(&lock)).count();
            // SAFETY: no other thread is left.
            assert_eq!(guarded.0[lock as usize].with(|x| unsafe { *x }), wanted as u32);
            assert!(taken.acquire(lock, 7), "lock {lock} is free in the end");
        }
    });
}

#[test]
fn a_lock_excludes_two() {
    contend(3, 1, true, 1, &[&[0], &[0]]);
}
#[test]
fn a_lock_excludes_three() {
    contend(2, 1, false, 1, &[&[0], &[0], &[0]]);
}
#[test]
fn opposite_orders_end() {
    contend(3, 1, true, 2, &[&[0, 1], &[1, 0]]);
    contend(2, 0, true, 2, &[&[0, 1], &[1, 0]]);
}
#[test]
fn a_circle_of_three_ends() {
    contend(1, 1, false, 3, &[&[0, 1], &[1, 2], &[2, 0]]);
}

/// Threads try to get the locks of their lists without waiting, all or none, and behind a gate. They reserve
/// what they have been refused this many times, and after this many refusals close the gate, and are refused
/// no more. Until each had all of its own.
fn attempt(preemptions: usize, [reserving, alone]: [u32; 2], locks: u32, lists: &'static [&'static [u32]]) {
    model(preemptions, move || {
        let taken = Locks::new(words(Locks::<Model>::words_for(locks)), 0);
        (0..locks).for_each(|i| taken.clear(i));
        let gate = Gate::new(words(1), 0);
        let guarded = Arc::new(Guarded((0..locks).map(|_| UnsafeCell::new(0)).collect()));
        let run = move |number: u32, guarded: &Guarded| {
            let list = lists[number as usize];
            // every lock is tried, also after one was refused
            let work = |acquire: &dyn Fn(u32) -> bool| {
                let had: Vec<u32> = list.iter().copied().filter(|&lock| acquire(lock)).collect();
                let all = had.len() == list.len();
                if all {
                    for &lock in list {
                        // SAFETY: under its lock.
                        guarded.0[lock as usize].with_mut(|x| unsafe { *x += 1 });
                    }
                }
                had.iter().for_each(|&lock| taken.release(lock, number));
                all
            };
            let mut refusals = 0;
            loop {
                if refusals >= alone && gate.close() {
                    assert!(work(&|lock| taken.acquire_alone(lock)), "nobody refuses who is alone");
                    gate.open();
                    return;
                }
                if gate.enter() {
                    let all = work(&|lock| taken.try_acquire(lock, number, refusals >= reserving));
                    gate.leave();
                    if all {
                        return;
                    }
                    refusals += 1;
                }
                thread::yield_now();
            }
        };
        let others: Vec<_> = (1..lists.len() as u32)
            .map(|number| {
                let guarded = guarded.clone();
                thread::spawn(move || run(number, &guarded))
            })
            .collect();
        run(0, &guarded);
        others.into_iter().for_each(|thread| thread.join().unwrap());
        for lock in 0..locks {
            let wanted = lists.iter().filter(|list| list.contains(&lock)).count();
            // SAFETY: no other thread is left.
            assert_eq!(guarded.0[lock as usize].with(|x| unsafe { *x }), wanted as u32);
            assert!(taken.try_acquire(lock, 7, false), "nobody has or reserves lock {lock} in the end");
        }
        assert!(gate.close(), "the gate is open in the end, and nobody inside");
    });
}

#[test]
fn attempts_exclude_each_other() {
    attempt(3, [1, 1], 1, &[&[0], &[0]]);
    attempt(3, [0, 2], 1, &[&[0], &[0]]);
    attempt(1, [1, 1], 1, &[&[0], &[0], &[0]]);
}
#[test]
fn attempts_in_opposite_orders_end() {
    attempt(2, [0, 1], 2, &[&[0, 1], &[1, 0]]);
    attempt(2, [1, 2], 2, &[&[1, 0], &[0, 1]]);
    attempt(1, [0, 1], 3, &[&[0, 1], &[1, 2], &[2, 0]]);
}

/// Plain writes need no locks behind a closed gate, or inside of a gate that admits one thread.
#[test]
fn a_gate_lets_one_be_alone() {
    model(3, || {
        let gate = Gate::new(words(1), 0);
        let guarded = Arc::new(Guarded(vec![UnsafeCell::new(0)]));
        let inside = {
            let guarded = guarded.clone();
            thread::spawn(move || {
                let entered = gate.enter();
                if entered {
                    // SAFETY: the only one inside.
                    guarded.0[0].with_mut(|x| unsafe { *x += 1 });
                    gate.leave();
                }
                entered
            })
        };
        let close = move |guarded: &Guarded| {
            let closed = gate.close();
            if closed {
                // SAFETY: alone.
                guarded.0[0].with_mut(|x| unsafe { *x += 1 });
                gate.open();
            }
            closed
        };
        let alone = {
            let guarded = guarded.clone();
            thread::spawn(move || close(&guarded))
        };
        let closed = close(&guarded);
        let (inside, alone) = (inside.join().unwrap(), alone.join().unwrap());
        assert!(closed || alone, "one of two who close it gets it");
        let times = [inside, alone, closed].into_iter().filter(|&did| did).count() as u32;
        assert!(gate.close());
        // SAFETY: no other thread is left.
        assert_eq!(guarded.0[0].with(|x| unsafe { *x }), times);
    });
}
