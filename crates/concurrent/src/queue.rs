//! A queue in an array, for many threads that push and pop.
use crate::{QueueFull, Words};
use ribbonmesh_device::atomic::Order::{AcqRel, Acquire, Relaxed};

/// Place of the number of values that have been popped, modulo 2³².
const HEAD: u32 = 0;
/// Of those that have been pushed.
const TAIL: u32 = 1;
/// Of those whose work is not done.
const OPEN: u32 = 2;
/// First place of values: 0 where there is none, else the value plus 1.
const SLOTS: u32 = 3;

/// A queue of numbers, first in, first out, that wraps around in an array: the scheduler of the thesis (5.3.3). It also counts the values whose work
/// is not done, so that threads can tell an empty queue from the end.
///
/// [`push`](Self::push) waits until the value before in the same slot was taken, and [`pop`](Self::pop) until one is there. As many take from a slot as
/// put into it, and each waits for an older operation alone, which waits for nobody younger: all end, if all threads run. Values may overtake
/// each other where a thread is slower than a round of the whole queue.
#[derive(Clone, Copy, Debug)]
pub struct Queue<W> {
    words: W,
    capacity: u32,
}

impl<W: Words> Queue<W> {
    /// Number of words of a queue with room for `n` values: the next power of two, and three.
    pub const fn words_for(n: u32) -> u32 {
        SLOTS + n.next_power_of_two()
    }
    /// A queue in words that are all 0, or have been used by a queue. The room for values is the greatest power of two that fits.
    pub fn new(words: W) -> Self {
        let room = words.len().saturating_sub(SLOTS);
        let capacity = if room == 0 { 0 } else { 1 << room.ilog2() };
        Self { words, capacity }
    }
    /// How many values there is room for.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }
    /// How many values' work is not done: pushed by [`begin`](Self::begin), and not ended by [`done`](Self::done).
    #[inline(always)]
    pub fn open(&self) -> u32 {
        self.words.load(OPEN, Acquire)
    }
    /// Pushes a value whose work is new.
    /// # Errors
    /// [`QueueFull`].
    #[inline(always)]
    pub fn begin(&self, value: u32) -> Result<(), QueueFull> {
        // first counted: who sees no open work never misses some
        self.words.fetch_add(OPEN, 1, Relaxed);
        let pushed = self.push(value);
        if pushed.is_err() {
            self.done();
        }
        pushed
    }
    /// Notes that the work of a popped value is done. What was written before is seen by who finds no work open.
    #[inline(always)]
    pub fn done(&self) {
        self.words.fetch_add(OPEN, u32::MAX, AcqRel);
    }
    /// Pushes a value, `u32::MAX` excepted, whose work was begun before: one that was popped, and is to be tried again.
    /// # Errors
    /// [`QueueFull`].
    #[inline(always)]
    pub fn push(&self, value: u32) -> Result<(), QueueFull> {
        let mut tail = self.words.load(TAIL, Relaxed);
        loop {
            if tail.wrapping_sub(self.words.load(HEAD, Relaxed)) >= self.capacity {
                // a head that was read too early makes the queue look fuller than it is: an addition reads the last one
                let head = self.words.fetch_add(HEAD, 0, Relaxed);
                let last = self.words.fetch_add(TAIL, 0, Relaxed);
                if last.wrapping_sub(head) >= self.capacity && last == tail {
                    return Err(QueueFull);
                }
                tail = last;
                continue;
            }
            let before = self.words.compare_exchange(TAIL, tail, tail.wrapping_add(1), AcqRel);
            if before == tail {
                break;
            }
            tail = before;
        }
        let slot = SLOTS + (tail & (self.capacity - 1));
        while self.words.compare_exchange(slot, 0, value.wrapping_add(1), AcqRel) != 0 {
            self.words.pause();
        }
        Ok(())
    }
    /// Takes the oldest value; none where there is none now. What its pusher wrote before is seen by the caller.
    #[inline(always)]
    pub fn pop(&self) -> Option<u32> {
        let mut head = self.words.load(HEAD, Acquire);
        loop {
            // who moved the head had read this tail, or a later one, before
            if self.words.load(TAIL, Acquire) == head {
                return None;
            }
            let before = self.words.compare_exchange(HEAD, head, head.wrapping_add(1), AcqRel);
            if before == head {
                break;
            }
            head = before;
        }
        let slot = SLOTS + (head & (self.capacity - 1));
        loop {
            // a slow thread may take the value of the round after, and leave that of its own to the next: each value is taken once
            let value = self.words.load(slot, Relaxed);
            if value != 0 && self.words.compare_exchange(slot, value, 0, AcqRel) == value {
                return Some(value.wrapping_sub(1));
            }
            self.words.pause();
        }
    }
}
