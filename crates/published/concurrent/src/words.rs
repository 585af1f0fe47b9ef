//! Words that threads share.
use ribbonmesh_device::atomic::{self, Order, Scope};
use ribbonmesh_device::{Out, Shared};
#[cfg(not(target_arch = "nvptx64"))]
use std::sync::atomic::{AtomicU32, Ordering};

/// Words of 32 bits that can be read. A copy is the same memory.
pub trait ReadWords: Copy {
    /// Number of words.
    fn len(self) -> u32;
    /// Whether there are none.
    fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// Word `i`.
    fn load(self, i: u32, order: Order) -> u32;
}

/// Words of 32 bits that threads share, with atomic operations.
pub trait Words: ReadWords {
    /// Writes word `i`.
    fn store(self, i: u32, value: u32, order: Order);
    /// Writes `new` if the word is `current`; the word before.
    fn compare_exchange(self, i: u32, current: u32, new: u32, order: Order) -> u32;
    /// Adds, with wrapping; the word before.
    fn fetch_add(self, i: u32, value: u32, order: Order) -> u32;
    /// Minimum with `value`; the word before.
    fn fetch_min(self, i: u32, value: u32, order: Order) -> u32;
    /// Lets other threads run before the next try.
    fn pause(self);
}

/// Yields a waiting thread of the host; on a GPU the next try comes at once, after the latency of an atomic
/// operation.
#[inline(always)]
fn wait_a_little() {
    #[cfg(not(target_arch = "nvptx64"))]
    std::thread::yield_now();
}

/// Global memory, for all threads of a device.
impl ReadWords for Out<'_, u32> {
    #[inline(always)]
    fn len(self) -> u32 {
        Out::len(&self) as u32
    }
    #[inline(always)]
    fn load(self, i: u32, order: Order) -> u32 {
        atomic::load(self, i, order, Scope::Device)
    }
}
impl Words for Out<'_, u32> {
    #[inline(always)]
    fn store(self, i: u32, value: u32, order: Order) {
        atomic::store(self, i, value, order, Scope::Device);
    }
    #[inline(always)]
    fn compare_exchange(self, i: u32, current: u32, new: u32, order: Order) -> u32 {
        atomic::compare_exchange(self, i, current, new, order, Scope::Device)
    }
    #[inline(always)]
    fn fetch_add(self, i: u32, value: u32, order: Order) -> u32 {
        atomic::fetch_add(self, i, value, order, Scope::Device)
    }
    #[inline(always)]
    fn fetch_min(self, i: u32, value: u32, order: Order) -> u32 {
        atomic::fetch_min(self, i, value, order, Scope::Device)
    }
    #[inline(always)]
    fn pause(self) {
        wait_a_little();
    }
}

/// Shared memory of a block. Operations have no order among each other: the block's barriers make it.
impl ReadWords for Shared<'_, u32> {
    #[inline(always)]
    fn len(self) -> u32 {
        Shared::len(&self)
    }
    #[inline(always)]
    fn load(self, i: u32, _: Order) -> u32 {
        self.get(i)
    }
}
impl Words for Shared<'_, u32> {
    #[inline(always)]
    fn store(self, i: u32, value: u32, _: Order) {
        self.set(i, value);
    }
    #[inline(always)]
    fn compare_exchange(self, i: u32, current: u32, new: u32, _: Order) -> u32 {
        Shared::compare_exchange(&self, i, current, new)
    }
    #[inline(always)]
    fn fetch_add(self, i: u32, value: u32, _: Order) -> u32 {
        Shared::fetch_add(&self, i, value)
    }
    #[inline(always)]
    fn fetch_min(self, i: u32, value: u32, _: Order) -> u32 {
        Shared::fetch_min(&self, i, value)
    }
    #[inline(always)]
    fn pause(self) {
        wait_a_little();
    }
}

/// Memory of the host, for its threads.
#[cfg(not(target_arch = "nvptx64"))]
impl ReadWords for &[AtomicU32] {
    fn len(self) -> u32 {
        <[AtomicU32]>::len(self) as u32
    }
    fn load(self, i: u32, order: Order) -> u32 {
        self[i as usize].load(reading(order))
    }
}
#[cfg(not(target_arch = "nvptx64"))]
impl Words for &[AtomicU32] {
    fn store(self, i: u32, value: u32, order: Order) {
        let order = match order {
            Order::Relaxed | Order::Acquire => Ordering::Relaxed,
            Order::Release | Order::AcqRel => Ordering::Release,
        };
        self[i as usize].store(value, order);
    }
    fn compare_exchange(self, i: u32, current: u32, new: u32, order: Order) -> u32 {
        match self[i as usize].compare_exchange(current, new, both(order), reading(order)) {
            Ok(before) | Err(before) => before,
        }
    }
    fn fetch_add(self, i: u32, value: u32, order: Order) -> u32 {
        self[i as usize].fetch_add(value, both(order))
    }
    fn fetch_min(self, i: u32, value: u32, order: Order) -> u32 {
        self[i as usize].fetch_min(value, both(order))
    }
    fn pause(self) {
        wait_a_little();
    }
}

/// The part of an order that a load can have.
#[cfg(not(target_arch = "nvptx64"))]
fn reading(order: Order) -> Ordering {
    match order {
        Order::Relaxed | Order::Release => Ordering::Relaxed,
        Order::Acquire | Order::AcqRel => Ordering::Acquire,
    }
}

#[cfg(not(target_arch = "nvptx64"))]
fn both(order: Order) -> Ordering {
    match order {
        Order::Relaxed => Ordering::Relaxed,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel => Ordering::AcqRel,
    }
}

/// The first words of some memory, as many as a table or queue in it has.
#[derive(Clone, Copy, Debug)]
pub struct First<W> {
    words: W,
    len: u32,
}
impl<W: ReadWords> First<W> {
    /// The first `len` of `words`, which has as many.
    #[inline(always)]
    pub fn new(words: W, len: u32) -> Self {
        Self { words, len }
    }
}
impl<W: ReadWords> ReadWords for First<W> {
    #[inline(always)]
    fn len(self) -> u32 {
        self.len
    }
    #[inline(always)]
    fn load(self, i: u32, order: Order) -> u32 {
        self.words.load(i, order)
    }
}
impl<W: Words> Words for First<W> {
    #[inline(always)]
    fn store(self, i: u32, value: u32, order: Order) {
        self.words.store(i, value, order);
    }
    #[inline(always)]
    fn compare_exchange(self, i: u32, current: u32, new: u32, order: Order) -> u32 {
        self.words.compare_exchange(i, current, new, order)
    }
    #[inline(always)]
    fn fetch_add(self, i: u32, value: u32, order: Order) -> u32 {
        self.words.fetch_add(i, value, order)
    }
    #[inline(always)]
    fn fetch_min(self, i: u32, value: u32, order: Order) -> u32 {
        self.words.fetch_min(i, value, order)
    }
    #[inline(always)]
    fn pause(self) {
        self.words.pause();
    }
}
