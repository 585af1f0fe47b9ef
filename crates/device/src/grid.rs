//! The barrier between all blocks of a resident launch.

/// All blocks of a launch that run at the same time, and can therefore wait for each other:
/// [`Block::grid_sync`](crate::Block::grid_sync).
///
/// It is an argument of kernels that `Device::launch_resident` launches, the only call that makes one. On the
/// CPU such a launch has a single block.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Grid {
    word: *mut u32,
    patience: u64,
}
// SAFETY: all access is atomic.
unsafe impl Send for Grid {}
// SAFETY: all access is atomic.
unsafe impl Sync for Grid {}

impl Grid {
    /// Seconds after which a block no longer waits for the others, see [`Grid::with_patience`].
    pub const PATIENCE: f64 = 20.0;
    /// # Safety
    /// `word` is valid on the machine that runs the kernel, 0 before the first launch, and used by one launch
    /// at a time, all blocks of which are resident.
    pub const unsafe fn new(word: *mut u32) -> Self {
        Self { word, patience: (Self::PATIENCE * 1e9) as u64 }
    }
    /// No grid, for launches that reach no barrier between blocks. A launch of several blocks that does reach
    /// one records [`StatusCode::Stalled`](crate::StatusCode::Stalled).
    pub const fn none() -> Self {
        Self { word: core::ptr::null_mut(), patience: 0 }
    }
    /// The same with another patience, in seconds. A block that has waited that long for another, which has
    /// ended or is stuck, records [`StatusCode::Stalled`](crate::StatusCode::Stalled) and ends.
    #[must_use]
    pub const fn with_patience(self, seconds: f64) -> Self {
        Self { patience: (seconds * 1e9) as u64, ..self }
    }
    /// Arrives, and waits until all `blocks` have; false when they have not within the patience. Called by
    /// one thread of each block.
    ///
    /// Each block adds 1 to the word; block 0 instead adds 2³¹ minus the number of the other blocks. The
    /// word's highest bit flips each time all blocks have arrived, so nothing is reset between rounds and
    /// launches.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    pub(crate) fn meet(&self, block: u32, blocks: u32) -> bool {
        use crate::atomic::{self, Order::*, Scope};
        const TURN: u32 = 1 << 31;
        if self.word.is_null() {
            return blocks == 1;
        }
        // SAFETY: one valid word, by `new`.
        let word = unsafe { crate::Out::new(self.word, 1) };
        let share = if block == 0 { TURN - (blocks - 1) } else { 1 };
        let before = atomic::fetch_add(word, 0, share, AcqRel, Scope::Device);
        let waiting = |order| (atomic::load(word, 0, order, Scope::Device) ^ before) & TURN == 0;
        let (mut looks, mut since) = (0u32, 0u64);
        while waiting(Relaxed) {
            looks += 1;
            if looks & 0xffff == 0 {
                let now = nanoseconds();
                if since == 0 {
                    since = now;
                } else if now - since > self.patience {
                    return false;
                }
            }
        }
        // writes of the others before they arrived are visible from here on
        waiting(Acquire);
        true
    }
}

#[cfg(target_arch = "nvptx64")]
fn nanoseconds() -> u64 {
    let t;
    // not pure: two calls differ
    // SAFETY: reads a clock.
    unsafe {
        core::arch::asm!("mov.u64 {t}, %globaltimer;", t = out(reg64) t, options(nomem, nostack, preserves_flags))
    }
    t
}
