//! A gate: many are inside, or one alone.
use crate::Words;
use ribbonmesh_device::atomic::Order::{Acquire, Relaxed, Release};

/// In the word: somebody is alone, or waits for the others to leave. Below are those who are inside.
const CLOSED: u32 = 1 << 31;

/// A gate through which many may go, or one who is alone then.
///
/// It makes optimistic work end: who has been refused too often does its work alone, where nobody is left to
/// refuse it.
///
/// - *No deadlock.* Who closes the gate waits for those inside, and they for nobody: the caller must not be
///   inside itself, nor have what one of them waits for.
/// - *All end*, if each who is inside leaves it in finite time, and who is alone too: while the gate is
///   closed nobody enters.
///
/// It takes one word. What was done inside before the gate was closed is seen by who is alone, and that by
/// who enters later.
#[derive(Clone, Copy, Debug)]
pub struct Gate<W> {
    words: W,
    at: u32,
}

impl<W: Words> Gate<W> {
    /// The gate in word `at`, which is 0 at first: open, and nobody inside.
    #[inline(always)]
    pub fn new(words: W, at: u32) -> Self {
        Self { words, at }
    }
    /// Goes in: true; or false where the gate is closed. Never waits.
    #[inline(always)]
    pub fn enter(&self) -> bool {
        // most who come in vain write nothing
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
    /// Closes the gate and waits until nobody is inside: true; or false, at once, where another has closed
    /// it.
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
        // those who are about to find it closed stay counted
        self.words.fetch_add(self.at, CLOSED, Release);
    }
}
