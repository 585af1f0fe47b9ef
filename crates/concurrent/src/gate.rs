//! A gate: many threads are inside, or one thread is alone.
use crate::Words;
use ribbonmesh_device::atomic::Order::{Acquire, Relaxed, Release};

/// Bit of the word: a thread is alone, or waits for the others to leave. The bits below count the threads
/// inside.
const CLOSED: u32 = 1 << 31;

/// A gate that many threads may enter, or that one thread closes to be alone.
///
/// It makes optimistic work end: a thread that was refused too often closes the gate and does its work alone.
/// Then no other thread can refuse it anything.
///
/// - *No deadlock.* The thread that closes the gate waits for the threads inside, which do not wait for it:
///   the caller must not be inside itself, nor have anything for which a thread inside waits.
/// - *All end*, if each thread inside leaves in finite time, and the thread that is alone opens the gate in
///   finite time: while the gate is closed, no thread enters.
///
/// It takes one word. Writes inside, before the gate was closed, are visible to the thread that is alone. Its
/// writes are visible to threads that enter later.
#[derive(Clone, Copy, Debug)]
pub struct Gate<W> {
    words: W,
    at: u32,
}

impl<W: Words> Gate<W> {
    /// The gate in word `at`, which is 0 at first: open, and no thread inside.
    #[inline(always)]
    pub fn new(words: W, at: u32) -> Self {
        Self { words, at }
    }
    /// Goes in: true; or false where the gate is closed. Never waits.
    #[inline(always)]
    pub fn enter(&self) -> bool {
        // most threads that cannot enter write nothing
        if self.words.load(self.at, Relaxed) & CLOSED != 0 {
            return false;
        }
        if self.words.fetch_add(self.at, 1, Acquire) & CLOSED == 0 {
            return true;
        }
        self.words.fetch_add(self.at, u32::MAX, Relaxed);
        false
    }
    /// Goes out, after [`enter`](Self::enter).
    #[inline(always)]
    pub fn leave(&self) {
        self.words.fetch_add(self.at, u32::MAX, Release);
    }
    /// Closes the gate and waits until no thread is inside: true; or false, at once, if another thread has
    /// closed it.
    #[inline(always)]
    pub fn close(&self) -> bool {
        let mut inside = self.words.load(self.at, Relaxed);
        loop {
            if inside & CLOSED != 0 {
                return false;
            }
            let before = self.words.compare_exchange(self.at, inside, inside | CLOSED, Acquire);
            if before == inside {
                break;
            }
            inside = before;
        }
        while self.words.load(self.at, Acquire) != CLOSED {
            self.words.pause();
        }
        true
    }
    /// Opens it again, after [`close`](Self::close).
    #[inline(always)]
    pub fn open(&self) {
        // threads that are about to find it closed stay counted
        self.words.fetch_add(self.at, CLOSED, Release);
    }
}
