//! Spin locks that give way: listing 5.1 of the thesis, with orders of memory.
use crate::Words;
use ribbonmesh_device::atomic::Order::{Acquire, Relaxed, Release};

const FREE: u32 = 0;
const LOCKED: u32 = 1;
const NOBODY: u32 = u32::MAX;

/// Spin locks that a thread gives up after long waiting, if a thread with a lesser number is known to want
/// the lock.
///
/// Each takes two words: whether it is locked, and the least number of the threads that have it or have
/// waited long for it.
///
/// - *No deadlock.* A thread goes on waiting only for threads with greater numbers. So no threads wait for
///   each other in a circle, in whatever order they take locks.
/// - *No livelock.* A number that was written stays until its thread has had the lock, or a lesser number
///   replaces it. No thread with a greater number takes the lock before, except for threads that had looked
///   at the number earlier. So the thread with the least number of all gets every lock that it wants, once
///   the threads that have it release it. (In listing 5.1 a release removes the numbers of all waiting
///   threads.)
///
/// Writes before a release are visible to the block that acquires the lock next. One thread of a block
/// acquires and releases, with a barrier of the block after acquiring and before releasing.
#[derive(Clone, Copy, Debug)]
pub struct Locks<W> {
    words: W,
    tries: u32,
}

impl<W: Words> Locks<W> {
    /// Number of words of `n` locks.
    pub const fn words_for(n: u32) -> u32 {
        2 * n
    }
    /// Locks in words for which [`clear`](Self::clear) has been called. After `tries` tries a waiting thread
    /// looks whether other threads wait.
    #[inline(always)]
    pub fn new(words: W, tries: u32) -> Self {
        Self { words, tries }
    }
    /// Number of locks.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.words.len() / 2
    }
    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Makes a lock free, before any thread uses it.
    #[inline(always)]
    pub fn clear(&self, lock: u32) {
        self.words.store(2 * lock, FREE, Relaxed);
        self.words.store(2 * lock + 1, NOBODY, Relaxed);
    }
    /// Acquires a lock, which the caller does not have: true; or false if a thread with a lesser number has
    /// it or wants it. No two threads have one number at a time, and no number is `u32::MAX`.
    ///
    /// Returns once the threads with greater numbers that have the lock release it, if each of them does so,
    /// or gives up others, in finite time.
    #[inline(always)]
    pub fn acquire(&self, lock: u32, number: u32) -> bool {
        let (state, least) = (2 * lock, 2 * lock + 1);
        let mut tries = 0;
        loop {
            if self.words.load(least, Relaxed) >= number
                && self.words.compare_exchange(state, FREE, LOCKED, Acquire) == FREE
            {
                break;
            }
            if tries >= self.tries {
                if self.words.fetch_min(least, number, Relaxed) < number {
                    return false;
                }
                tries = 0;
            }
            tries += 1;
            self.words.pause();
        }
        self.words.fetch_min(least, number, Relaxed);
        true
    }
    /// Acquires a lock if it is free and no thread with a lesser number has reserved it, and does not wait:
    /// true if so. Otherwise, if `reserve` is true, the lock is reserved for this number: until the caller
    /// has acquired it, no thread with a greater number does, except for threads that had looked before.
    ///
    /// A caller that reserves a lock tries it again under the same number, in finite time: no other thread
    /// would get it. If callers want other locks the next time, two callers may still refuse each other for
    /// ever. A caller that was refused too often then works alone, with
    /// [`acquire_alone`](Self::acquire_alone).
    #[inline(always)]
    pub fn try_acquire(&self, lock: u32, number: u32, reserve: bool) -> bool {
        let (state, least) = (2 * lock, 2 * lock + 1);
        if self.words.load(least, Relaxed) >= number
            && self.words.compare_exchange(state, FREE, LOCKED, Acquire) == FREE
        {
            // the thread that releases it withdraws the reservation of its own number
            return true;
        }
        if reserve {
            self.words.fetch_min(least, number, Relaxed);
        }
        false
    }
    /// Acquires a lock if it is free, whatever its reservation: for a caller that is alone behind a closed
    /// [`Gate`](crate::Gate), so that no other thread refuses it. Reservations stay, except for the number
    /// under which it is released.
    #[inline(always)]
    pub fn acquire_alone(&self, lock: u32) -> bool {
        self.words.compare_exchange(2 * lock, FREE, LOCKED, Acquire) == FREE
    }
    /// Releases a lock that the caller has acquired under this number.
    #[inline(always)]
    pub fn release(&self, lock: u32, number: u32) {
        // if the word has a lesser number, the thread of that number is next
        self.words.compare_exchange(2 * lock + 1, number, NOBODY, Relaxed);
        self.words.store(2 * lock, FREE, Release);
    }
}
