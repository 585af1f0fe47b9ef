//! The interleavings of small cases with at most three preemptions, with every order of memory that the
//! operations allow.
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use ribbonmesh_concurrent::{CuckooTable, Entry, Gate, LinearTable, Locks, Queue, ReadWords, Words};
use ribbonmesh_device::atomic::Order;

/// Words of the model, which live as long as the program: a model has few, and is run some ten thousand
/// times.
#[derive(Clone, Copy)]
struct Model(&'static [AtomicU32]);

fn words(n: u32) -> Model {
    Model(Box::leak((0..n).map(|_| AtomicU32::new(0)).collect()))
}

fn ordering(order: Order) -> Ordering {
    match order {
        Order::Relaxed => Ordering::Relaxed,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel => Ordering::AcqRel,
    }
}

impl ReadWords for Model {
    fn len(self) -> u32 {
        self.0.len() as u32
    }
    fn load(self, i: u32, order: Order) -> u32 {
        self.0[i as usize].load(ordering(order))
    }
}
impl Words for Model {
    fn store(self, i: u32, value: u32, order: Order) {
        self.0[i as usize].store(value, ordering(order));
    }
    fn compare_exchange(self, i: u32, current: u32, new: u32, order: Order) -> u32 {
        let failure = match order {
            Order::Relaxed | Order::Release => Ordering::Relaxed,
            Order::Acquire | Order::AcqRel => Ordering::Acquire,
        };
        match self.0[i as usize].compare_exchange(current, new, ordering(order), failure) {
            Ok(before) | Err(before) => before,
        }
    }
    fn fetch_add(self, i: u32, value: u32, order: Order) -> u32 {
        self.0[i as usize].fetch_add(value, ordering(order))
    }
    fn fetch_min(self, i: u32, value: u32, order: Order) -> u32 {
        // loom has no minimum
        let cell = &self.0[i as usize];
        let mut before = cell.load(Ordering::Relaxed);
        loop {
            let order = ordering(order);
            match cell.compare_exchange(before, before.min(value), order, Ordering::Relaxed) {
                Ok(_) => return before,
                Err(other) => before = other,
            }
        }
    }
    fn pause(self) {
        thread::yield_now();
    }
}

/// All schedules with at most this many preemptions.
fn model(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 10_000;
    builder.check(run);
}

/// Data that locks protect, which the model watches.
struct Guarded(Vec<UnsafeCell<u32>>);
// SAFETY: the threads access a cell under its lock only, which is what the model checks.
unsafe impl Sync for Guarded {}
// SAFETY: as above.
unsafe impl Send for Guarded {}

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

/// Two threads pop values until none is open; one of the values is put back once.
#[test]
fn a_queue_hands_out_every_value() {
    model(2, || {
        let queue = Queue::new(words(Queue::<Model>::words_for(2)));
        queue.begin(4).unwrap();
        queue.begin(5).unwrap();
        let tried = Arc::new(AtomicU32::new(0));
        let work = move |tried: Arc<AtomicU32>| {
            let mut done = vec![];
            while queue.open() > 0 {
                match queue.pop() {
                    Some(5) if tried.fetch_add(1, Ordering::Relaxed) == 0 => queue.push(5).unwrap(),
                    Some(value) => {
                        done.push(value);
                        queue.done();
                    }
                    None => thread::yield_now(),
                }
            }
            done
        };
        let other = {
            let tried = tried.clone();
            thread::spawn(move || work(tried))
        };
        let mut done = work(tried);
        done.extend(other.join().unwrap());
        done.sort_unstable();
        assert_eq!(done, [4, 5]);
    });
}

/// Writes before a push are visible after the pop.
#[test]
fn a_queue_publishes() {
    model(3, || {
        let queue = Queue::new(words(Queue::<Model>::words_for(1)));
        let guarded = Arc::new(Guarded(vec![UnsafeCell::new(0)]));
        let writer = {
            let guarded = guarded.clone();
            thread::spawn(move || {
                // SAFETY: no other thread reads before the push.
                guarded.0[0].with_mut(|x| unsafe { *x = 9 });
                queue.begin(0).unwrap();
            })
        };
        while queue.pop().is_none() {
            thread::yield_now();
        }
        // SAFETY: the thread that wrote it has pushed.
        assert_eq!(guarded.0[0].with(|x| unsafe { *x }), 9);
        writer.join().unwrap();
    });
}

/// Finished work is visible to a thread that finds no open work.
#[test]
fn the_end_publishes() {
    model(3, || {
        let queue = Queue::new(words(Queue::<Model>::words_for(1)));
        let guarded = Arc::new(Guarded(vec![UnsafeCell::new(0)]));
        queue.begin(3).unwrap();
        let worker = {
            let guarded = guarded.clone();
            thread::spawn(move || {
                assert_eq!(queue.pop(), Some(3));
                // SAFETY: no other thread reads before the end.
                guarded.0[0].with_mut(|x| unsafe { *x = 9 });
                queue.done();
            })
        };
        while queue.open() > 0 {
            thread::yield_now();
        }
        // SAFETY: all work is done.
        assert_eq!(guarded.0[0].with(|x| unsafe { *x }), 9);
        worker.join().unwrap();
    });
}

/// Pushes by two threads into room for two, with one value popped at the same time: nothing is lost, and a
/// queue is full only if it is.
#[test]
fn a_queue_wraps_around() {
    model(2, || {
        let queue = Queue::new(words(Queue::<Model>::words_for(2)));
        queue.begin(1).unwrap();
        let pusher = thread::spawn(move || queue.begin(2).is_ok());
        let first = queue.pop();
        let third = queue.begin(3).is_ok();
        assert!(pusher.join().unwrap() && third, "there was room");
        assert_eq!(first, Some(1));
        let mut rest = [queue.pop().unwrap(), queue.pop().unwrap()];
        rest.sort_unstable();
        assert_eq!((rest, queue.pop()), ([2, 3], None));
    });
}

/// A value that is pushed to the slot of one that is still being popped, with room for one: each is popped
/// once.
#[test]
fn a_slow_pop_meets_the_next_round() {
    model(2, || {
        let queue = Queue::new(words(Queue::<Model>::words_for(1)));
        let guarded = Arc::new(Guarded(vec![UnsafeCell::new(0)]));
        queue.begin(1).unwrap();
        let pop = move |guarded: &Guarded| {
            let value = queue.pop();
            if value == Some(2) {
                // SAFETY: the thread that wrote it has pushed this value.
                assert_eq!(guarded.0[0].with(|x| unsafe { *x }), 9);
            }
            value
        };
        let slow = {
            let guarded = guarded.clone();
            thread::spawn(move || pop(&guarded))
        };
        let pusher = {
            let guarded = guarded.clone();
            thread::spawn(move || {
                // SAFETY: no other thread reads before the push.
                guarded.0[0].with_mut(|x| unsafe { *x = 9 });
                queue.begin(2).is_ok()
            })
        };
        let own = pop(&guarded);
        let (slow, pushed) = (slow.join().unwrap(), pusher.join().unwrap());
        let mut all: Vec<_> = [own, slow, queue.pop(), queue.pop()].into_iter().flatten().collect();
        all.sort_unstable();
        assert_eq!(all, if pushed { vec![1, 2] } else { vec![1] });
    });
}

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
