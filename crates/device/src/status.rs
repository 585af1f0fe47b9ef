//! The status record: how a kernel tells the host of a condition of the data.
use core::sync::atomic::{AtomicU32, Ordering};

/// Why a block recorded a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StatusCode {
    /// Nothing happened.
    Ok = 0,
    /// A block needs more shared memory (first detail: bytes needed) than the launch gave it (second: bytes given).
    SharedMemory = 1,
    /// A list in global memory is too short (details: entries needed, entries there).
    Capacity = 2,
    /// A block has waited too long for others at a barrier between blocks (first detail: blocks of the launch).
    Stalled = 3,
    /// An index that comes from data is behind the end (details: the place of the index, the index).
    Index = 4,
    /// Codes from here on belong to the application.
    User = 1000,
}

/// Words of the record: code, launch, block, two details.
pub(crate) const WORDS: usize = 5;

/// Error record of a launch. Only the first record is kept; the host reads it when it synchronises and turns it into a
/// typed error.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Status {
    words: *const AtomicU32,
    launch: u32,
}
// SAFETY: all access is atomic.
unsafe impl Send for Status {}
// SAFETY: all access is atomic.
unsafe impl Sync for Status {}

impl Status {
    /// Number of 32-bit words of a record.
    pub const WORDS: usize = WORDS;
    /// # Safety
    /// `words` is valid for [`Status::WORDS`] words on the machine that runs the kernel.
    pub const unsafe fn new(words: *const u32, launch: u32) -> Self {
        Self { words: words.cast(), launch }
    }
    /// A record that discards everything.
    pub const fn none() -> Self {
        Self { words: core::ptr::null(), launch: 0 }
    }
    /// Records `code`, unless something is recorded already.
    pub fn record(&self, code: StatusCode, block: u32, first: u32, second: u32) {
        self.record_code(code as u32, block, first, second)
    }
    /// As [`Status::record`], for an application's own code.
    pub fn record_code(&self, code: u32, block: u32, first: u32, second: u32) {
        if self.words.is_null() {
            return;
        }
        // SAFETY: valid by `new`.
        let w = unsafe { core::slice::from_raw_parts(self.words, WORDS) };
        if w[0].compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            for (slot, v) in w[1..].iter().zip([self.launch, block, first, second]) {
                slot.store(v, Ordering::Relaxed);
            }
        }
    }
}
