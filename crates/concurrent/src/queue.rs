//! A queue in an array, for many threads that push and pop.
use crate::{QueueFull, Words};
use ribbonmesh_device::atomic::Order::{AcqRel, Acquire, Relaxed};

/// Place of the number of pops that have begun, modulo 2³².
const HEAD: u32 = 0;
/// The number of pushes that have begun.
const TAIL: u32 = 1;
/// The number of values whose work is not done.
const OPEN: u32 = 2;
/// The number of values that may be popped, less the threads that are about to find that there is none; with
/// a sign.
const READY: u32 = 3;
/// The number of slots that are taken, and of threads that are about to find that there is none.
const TAKEN: u32 = 4;
/// First place of values: 0 if there is none, else the value plus 1.
const SLOTS: u32 = 5;

/// A queue of numbers that wraps around in an array: the scheduler of the thesis (5.3.3). It also counts the
/// values whose work is not done, so that threads can tell an empty queue from the end.
///
/// No thread tries in a loop to move the ends: two counters tell whether there is a value or room, and then
/// each thread has a place of its own by one addition (Kerbl et al. 2018, *The broker queue*).
/// [`push`](Self::push) waits until the value before in its slot was taken, and [`pop`](Self::pop) until one
/// is there. As many threads take from a slot as put into it. Each waits only for an older operation, which
/// waits for no younger one: all end, if all threads run. Values are first in, first out, but may overtake
/// each other if a thread is slower than a round of the whole queue.
#[derive(Clone, Copy, Debug)]
pub struct Queue<W> {
    words: W,
    capacity: u32,
}

impl<W: Words> Queue<W> {
    /// Number of words of a queue with room for `n` values: the next power of two, and five.
    pub const fn words_for(n: u32) -> u32 {
        SLOTS + n.next_power_of_two()
    }
    /// A queue in words that are all 0, or have been used by a queue. The room for values is the greatest
    /// power of two that fits.
    #[inline(always)]
    pub fn new(words: W) -> Self {
        let room = words.len().saturating_sub(SLOTS);
        let capacity = if room == 0 { 0 } else { 1 << room.ilog2() };
        Self { words, capacity }
    }
    /// The number of values for which there is room.
    #[inline(always)]
    pub fn capacity(&self) -> u32 {
        self.capacity
    }
    /// The number of values whose work is not done: pushed by [`begin`](Self::begin), and not ended by
    /// [`done`](Self::done).
    #[inline(always)]
    pub fn open(&self) -> u32 {
        self.words.load(OPEN, Acquire)
    }
    /// Pushes a value whose work is new.
    /// # Errors
    /// [`QueueFull`].
    #[inline(always)]
    pub fn begin(&self, value: u32) -> Result<(), QueueFull> {
        // counted first: a thread that sees no open work never misses any
        self.words.fetch_add(OPEN, 1, Relaxed);
        let pushed = self.push(value);
        if pushed.is_err() {
            self.done();
        }
        pushed
    }
    /// Notes that the work of a popped value is done. Earlier writes are visible to a thread that finds no
    /// open work.
    #[inline(always)]
    pub fn done(&self) {
        self.words.fetch_add(OPEN, u32::MAX, AcqRel);
    }
    /// Pushes a value other than `u32::MAX` whose work was begun before: it was popped, and is to be tried
    /// again.
    /// # Errors
    /// [`QueueFull`], also if another thread claims the last room and then finds that there is none.
    #[inline(always)]
    pub fn push(&self, value: u32) -> Result<(), QueueFull> {
        if self.words.fetch_add(TAKEN, 1, Relaxed) >= self.capacity {
            self.words.fetch_add(TAKEN, u32::MAX, Relaxed);
            return Err(QueueFull);
        }
        let slot = self.slot(self.words.fetch_add(TAIL, 1, Relaxed));
        // only the slot makes earlier writes visible
        while self.words.compare_exchange(slot, 0, value.wrapping_add(1), AcqRel) != 0 {
            self.words.pause();
        }
        self.words.fetch_add(READY, 1, Relaxed);
        Ok(())
    }
    /// Whether there seems to be no value now, without writing anything: for threads that wait.
    #[inline(always)]
    pub fn seems_empty(&self) -> bool {
        (self.words.load(READY, Relaxed) as i32) <= 0
    }
    /// Takes the oldest value; `None` if there is none now. The caller sees the earlier writes of the thread
    /// that pushed it.
    #[inline(always)]
    pub fn pop(&self) -> Option<u32> {
        // most threads that find no value write nothing
        if self.seems_empty() {
            return None;
        }
        if (self.words.fetch_add(READY, u32::MAX, Relaxed) as i32) <= 0 {
            self.words.fetch_add(READY, 1, Relaxed);
            return None;
        }
        let slot = self.slot(self.words.fetch_add(HEAD, 1, Relaxed));
        loop {
            // a slow thread may take the value of the round after, and leave that of its own to the next:
            // each value is taken once
            let value = self.words.load(slot, Relaxed);
            if value != 0 && self.words.compare_exchange(slot, value, 0, AcqRel) == value {
                self.words.fetch_add(TAKEN, u32::MAX, Relaxed);
                return Some(value.wrapping_sub(1));
            }
            self.words.pause();
        }
    }
    #[inline(always)]
    fn slot(&self, place: u32) -> u32 {
        SLOTS + (place & (self.capacity - 1))
    }
}
