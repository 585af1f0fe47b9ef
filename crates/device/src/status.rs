//! The status record: how a kernel tells the host of a condition of the data.
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU32, Ordering};

/// Why a block recorded a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StatusCode {
    /// Nothing happened.
    Ok = 0,
    /// A block needs more shared memory (first detail: bytes needed) than the launch gave it (second: bytes
    /// given).
    SharedMemory = 1,
    /// A list in global memory is too short (details: entries needed, entries there).
    Capacity = 2,
    /// A block has waited too long for others at a barrier between blocks (first detail: blocks of the
    /// launch).
    Stalled = 3,
    /// An index that comes from data is behind the end (details: the place of the index, the index).
    Index = 4,
    /// A block keeps more values in registers (first detail: how many) than its threads have room for
    /// (second), see [`PerThread`](crate::PerThread).
    PerThread = 5,
    /// A query for edge-manifold meshes was asked on one that is not.
    NotEdgeManifold = 6,
    /// Codes from here on belong to the application.
    User = 1000,
}

/// Words of the record: code, launch, block, two details.
pub(crate) const WORDS: usize = 5;

/// Error record of a launch. Only the first record is kept; the host reads it when it synchronises and turns
/// it into a typed error. It belongs to the device, and cannot outlive the block that has it (`'b`):
///
/// ```compile_fail,E0521
/// # use ribbonmesh_device::{Block, Faults, Status};
/// # use std::sync::Mutex;
/// static KEPT: Mutex<Option<Status<'static>>> = Mutex::new(None);
/// let faults = Faults::default();
/// Block::run_on_cpu((0, 1), 32, 1024, (Status::none(), &faults), |block| {
///     *KEPT.lock().unwrap() = Some(block.status());
/// });
/// ```
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Status<'b> {
    words: *const AtomicU32,
    launch: u32,
    life: PhantomData<&'b ()>,
}
// SAFETY: all access is atomic.
unsafe impl Send for Status<'_> {}
// SAFETY: all access is atomic.
unsafe impl Sync for Status<'_> {}

impl Status<'_> {
    /// Number of 32-bit words of a record.
    pub const WORDS: usize = WORDS;
    /// # Safety
    /// `words` is valid for [`Status::WORDS`] words on the machine that runs the kernel, for the lifetime of
    /// the value.
    pub const unsafe fn new(words: *const u32, launch: u32) -> Self {
        Self { words: words.cast(), launch, life: PhantomData }
    }
    /// A record that discards everything.
    pub const fn none() -> Self {
        Self { words: core::ptr::null(), launch: 0, life: PhantomData }
    }
    /// The same without the lifetime.
    /// # Safety
    /// It is not used after the record has been freed.
    #[inline(always)]
    pub(crate) const unsafe fn unbound(self) -> Status<'static> {
        Status { words: self.words, launch: self.launch, life: PhantomData }
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
