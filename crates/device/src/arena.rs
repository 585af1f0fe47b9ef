//! Shared memory: the arena of a block and the typed slices carved from it.
use crate::fault::{self, CHECKED};
use crate::status::StatusCode;
use bytemuck::Pod;
use core::cell::Cell;

/// Bytes at the start of every arena that the collectives of [`crate::Block`] use.
pub(crate) const SCRATCH: u32 = 512;

/// Allocator of a kernel's shared memory; its slices are aligned to 16 bytes.
///
/// The same function carves for a kernel and says how much the kernel needs: the host runs it on
/// [`Arena::measure`]. A size is never guessed.
pub struct Arena {
    base: *mut u8,
    top: Cell<u32>,
    size: u32,
    measuring: bool,
    status: crate::Status,
    block: u32,
}

impl Arena {
    /// # Safety
    /// `base` is valid for `size` bytes, 16-byte aligned, and used by one block only.
    pub(crate) unsafe fn new(base: *mut u8, size: u32, status: crate::Status, block: u32) -> Self {
        Self { base, top: Cell::new(SCRATCH), size, measuring: false, status, block }
    }
    /// An upper bound of the bytes that `carve` takes, scratch space of the collectives included.
    pub fn measure(carve: impl FnOnce(&Arena)) -> u64 {
        let arena = Arena {
            base: core::ptr::null_mut(),
            top: Cell::new(SCRATCH),
            size: u32::MAX,
            measuring: true,
            status: crate::Status::none(),
            block: 0,
        };
        carve(&arena);
        arena.top.get() as u64
    }
    /// `n` elements of uninitialised shared memory, 16-byte aligned.
    ///
    /// If the launch has allocated too little, the block records an error and ends.
    #[inline(always)]
    pub fn take<T: Pod>(&self, n: u32) -> Shared<T> {
        let at = self.top.get();
        let bytes = (n as u64 * size_of::<T>() as u64).next_multiple_of(16);
        let end = at as u64 + bytes;
        if end > self.size as u64 {
            self.overflow(end);
        }
        // more than 4 GB, while measuring: as much as there can be
        self.top.set(if end > u32::MAX as u64 { u32::MAX } else { end as u32 });
        let ptr = if self.measuring { core::ptr::null_mut() } else { self.at(at) };
        // measured memory is not there, so it has no elements
        Shared { ptr: ptr.cast(), len: if self.measuring { 0 } else { n } }
    }
    /// Address of byte `at`.
    #[inline(always)]
    pub(crate) fn at(&self, at: u32) -> *mut u8 {
        // SAFETY: `take` has compared it with the size of the arena.
        unsafe { self.base.add(at as usize) }
    }
    /// Bytes that the launch has given the block.
    #[cfg(all(feature = "race-check", not(target_arch = "nvptx64")))]
    pub(crate) fn size(&self) -> u32 {
        self.size
    }
    #[cold]
    fn overflow(&self, needed: u64) {
        if self.measuring {
            return self.top.set(u32::MAX);
        }
        let kb = |bytes: u64| bytes.min(u32::MAX as u64) as u32;
        self.status.record(StatusCode::SharedMemory, self.block, kb(needed), self.size);
        crate::block::end_block()
    }
}

/// A typed slice of a block's shared memory.
///
/// Iterations of one loop may not write what another iteration of the same loop reads or writes; a barrier lies
/// between. The race checker finds a barrier that is missing.
pub struct Shared<T> {
    ptr: *mut T,
    len: u32,
}
impl<T> Clone for Shared<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<T> {}

/// How an iteration touches shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(all(feature = "race-check", not(target_arch = "nvptx64"))), allow(dead_code))]
pub(crate) enum Access {
    Read,
    Write,
    Atomic,
}

#[inline(always)]
#[cfg_attr(not(all(feature = "race-check", not(target_arch = "nvptx64"))), allow(unused_variables))]
fn touch<T>(p: *mut T, access: Access) {
    #[cfg(all(feature = "race-check", not(target_arch = "nvptx64")))]
    crate::race::touch(p.addr(), size_of::<T>(), access);
}

impl<T: Pod> Shared<T> {
    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.len
    }
    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    #[inline(always)]
    #[track_caller]
    pub(crate) fn ptr_at(&self, i: u32) -> *mut T {
        if CHECKED && i >= self.len {
            fault::out_of_bounds(0, i as u64, self.len as u64);
        }
        // SAFETY: in bounds: compared just now, or promised by `ribbonmesh_unchecked`.
        unsafe { self.ptr.add(i as usize) }
    }
    /// Element `i`.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, i: u32) -> T {
        touch(self.ptr_at(i), Access::Read);
        // SAFETY: in bounds; races are the kernel's, see the type.
        unsafe { *self.ptr_at(i) }
    }
    /// Writes element `i`.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, i: u32, value: T) {
        touch(self.ptr_at(i), Access::Write);
        // SAFETY: as get.
        unsafe { *self.ptr_at(i) = value }
    }
    /// The same memory as elements of another size; the length is rounded down.
    #[inline(always)]
    pub fn wide<U: Pod>(&self) -> Shared<U> {
        Shared { ptr: self.ptr.cast(), len: (self.len as usize * size_of::<T>() / size_of::<U>()) as u32 }
    }
    /// Sorts the first `n` elements.
    #[cfg(not(target_arch = "nvptx64"))]
    pub(crate) fn sort_prefix(&self, n: u32)
    where
        T: Ord,
    {
        assert!(n <= self.len, "{n} of {} elements of shared memory", self.len);
        // SAFETY: on the CPU one thread runs the block; the slice lives for one collective.
        unsafe { core::slice::from_raw_parts_mut(self.ptr, n as usize) }.sort_unstable();
    }
}

impl Shared<u32> {
    /// Adds `v` atomically; returns the value before.
    #[inline(always)]
    #[track_caller]
    pub fn fetch_add(&self, i: u32, v: u32) -> u32 {
        touch(self.ptr_at(i), Access::Atomic);
        // SAFETY: in bounds by `ptr_at`.
        unsafe { crate::atomic::shared::add_u32(self.ptr_at(i), v) }
    }
    /// Minimum with `v`, atomically; returns the value before.
    #[inline(always)]
    #[track_caller]
    pub fn fetch_min(&self, i: u32, v: u32) -> u32 {
        touch(self.ptr_at(i), Access::Atomic);
        // SAFETY: in bounds by `ptr_at`.
        unsafe { crate::atomic::shared::min_u32(self.ptr_at(i), v) }
    }
    /// Bitwise or with `v`, atomically; returns the value before.
    #[inline(always)]
    #[track_caller]
    pub fn fetch_or(&self, i: u32, v: u32) -> u32 {
        touch(self.ptr_at(i), Access::Atomic);
        // SAFETY: in bounds by `ptr_at`.
        unsafe { crate::atomic::shared::or_u32(self.ptr_at(i), v) }
    }
    /// Writes `new` if the value is `current`, atomically; returns the value before.
    #[inline(always)]
    #[track_caller]
    pub fn compare_exchange(&self, i: u32, current: u32, new: u32) -> u32 {
        touch(self.ptr_at(i), Access::Atomic);
        // SAFETY: in bounds by `ptr_at`.
        unsafe { crate::atomic::shared::cas_u32(self.ptr_at(i), current, new) }
    }
}
impl Shared<f32> {
    /// Adds `v` atomically.
    #[inline(always)]
    #[track_caller]
    pub fn add(&self, i: u32, v: f32) {
        touch(self.ptr_at(i), Access::Atomic);
        // SAFETY: in bounds by `ptr_at`.
        unsafe { crate::atomic::shared::add_f32(self.ptr_at(i), v) }
    }
}
