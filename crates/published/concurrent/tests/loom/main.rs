//! The interleavings of small cases with at most three preemptions, with every order of memory that the
//! operations allow.
mod locks;
mod protocol;
mod queue;
mod tables;

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use ribbonmesh_concurrent::{ReadWords, Words};
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
