//! The queue.
use crate::{Guarded, Model, model, words};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use ribbonmesh_concurrent::Queue;

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
