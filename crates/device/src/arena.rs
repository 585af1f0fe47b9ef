//! Shared memory: the arena of a block and the typed slices carved from it.
use crate::fault::{self, CHECKED};
use crate::status::StatusCode;
use bytemuck::Pod;
use core::cell::Cell;
use core::marker::PhantomData;

/// Bytes at the start of every arena that the collectives of [`crate::Block`] use.
pub(crate) const SCRATCH: u32 = 512;

/// The alignment of every slice of shared memory, in bytes.
pub(crate) const ALIGNMENT: usize = 16;

/// Refuses, at compile time, types that shared memory cannot hold.
const fn assert_aligned<T>() {
    assert!(
        align_of::<T>() <= ALIGNMENT,
        "shared memory begins at multiples of 16 bytes: it holds no types with a greater alignment"
    );
}

/// Allocator of a kernel's shared memory; its slices are aligned to 16 bytes.
///
/// The same function carves for a kernel and says how much the kernel needs: the host runs it on
/// [`Arena::measure`]. A size is never guessed.
///
/// Slices borrow the arena, and so end with their block:
///
/// ```compile_fail,E0521
/// # use ribbonmesh_device::{Arena, Shared};
/// let mut kept: Option<Shared<'_, u32>> = None;
/// Arena::measure(|arena| kept = Some(arena.take(4)));
/// ```
pub struct Arena {
    base: *mut u8,
    top: Cell<u32>,
    size: u32,
    measuring: bool,
    /// Valid while the block runs, by the contract of [`Arena::new`].
    status: crate::Status<'static>,
    block: u32,
}

impl Arena {
    /// # Safety
    /// While the arena is there, `base` is valid for `size` bytes, 16-byte aligned, and used by one block
    /// only, and the status record is valid.
    pub(crate) unsafe fn new(base: *mut u8, size: u32, status: crate::Status<'_>, block: u32) -> Self {
        // SAFETY: valid as long as the arena, by this function's contract.
        let status = unsafe { status.unbound() };
        Self { base, top: Cell::new(SCRATCH), size, measuring: false, status, block }
    }
    /// An upper bound of the bytes that `carve` takes, scratch space of the collectives included.
    pub fn measure(carve: impl FnOnce(&Arena)) -> u64 {
        let arena = Arena {
            base: core::ptr::dangling_mut::<u128>().cast(),
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
    /// If the launch has allocated too little, the block records an error and ends. An arena that only
    /// measures gives slices without elements.
    #[inline(always)]
    #[track_caller]
    pub fn take<T: Pod>(&self, n: u32) -> Shared<'_, T> {
        const { assert_aligned::<T>() };
        let at = self.top.get();
        let bytes = (n as u64 * size_of::<T>() as u64).next_multiple_of(16);
        let end = at as u64 + bytes;
        if end > self.size as u64 {
            self.overflow(end);
        }
        // more than 4 GB, while measuring: as much as there can be
        self.top.set(if end > u32::MAX as u64 { u32::MAX } else { end as u32 });
        // measured memory is not there, so it has no elements; where none are, any aligned address is valid
        let ptr = if self.measuring { self.base } else { self.at(at) };
        Shared { ptr: ptr.cast(), len: if self.measuring { 0 } else { n }, life: PhantomData }
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
    #[track_caller]
    fn overflow(&self, needed: u64) {
        if self.measuring {
            return self.top.set(u32::MAX);
        }
        let kb = |bytes: u64| bytes.min(u32::MAX as u64) as u32;
        self.status.record(StatusCode::SharedMemory, self.block, kb(needed), self.size);
        #[cfg(not(target_arch = "nvptx64"))]
        fault::ends(
            self.block,
            core::panic::Location::caller(),
            format_args!("{needed} bytes of shared memory, {} there", self.size),
        );
        crate::block::end_block()
    }
}

/// A typed slice of a block's shared memory, borrowed from the block (`'b`): it cannot outlive it.
///
/// Iterations of one loop may not write what another iteration of the same loop reads or writes; a barrier is
/// between them. The race checker finds a barrier that is missing.
///
/// ```compile_fail,E0521
/// # use ribbonmesh_device::{Block, Faults, Shared, Status};
/// let (faults, mut kept) = (Faults::default(), None::<Shared<'_, u64>>);
/// Block::run_on_cpu((0, 1), 32, 1024, (Status::none(), &faults), |block| kept = Some(block.shared(8)));
/// ```
/// Nor can another thread have it:
/// ```compile_fail,E0277
/// # use ribbonmesh_device::Shared;
/// fn sent<T: Send>() {}
/// sent::<Shared<'static, u32>>();
/// ```
/// Its elements are aligned to 16 bytes at most:
/// ```compile_fail,E0080
/// # use ribbonmesh_device::{Arena, Pod, bytemuck::Zeroable};
/// #[repr(C, align(32))]
/// #[derive(Clone, Copy)]
/// struct Wide([u8; 32]);
/// # // SAFETY: plain bytes.
/// unsafe impl Zeroable for Wide {}
/// # // SAFETY: plain bytes.
/// unsafe impl Pod for Wide {}
/// Arena::measure(|arena| _ = arena.take::<Wide>(1));
/// ```
pub struct Shared<'b, T> {
    ptr: *mut T,
    len: u32,
    life: PhantomData<&'b ()>,
}
impl<T> Clone for Shared<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<'_, T> {}

/// Kinds of access of an iteration to shared memory.
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

impl<'b, T: Pod> Shared<'b, T> {
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
            fault::out_of_bounds(None, i as u64, self.len as u64);
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
    pub fn wide<U: Pod>(&self) -> Shared<'b, U> {
        const {
            assert_aligned::<U>();
            assert!(size_of::<U>() > 0, "elements of no bytes");
        };
        let len = (self.len as usize * size_of::<T>() / size_of::<U>()) as u32;
        Shared { ptr: self.ptr.cast(), len, life: PhantomData }
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

impl Shared<'_, u32> {
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
impl Shared<'_, f32> {
    /// Adds `v` atomically.
    #[inline(always)]
    #[track_caller]
    pub fn add(&self, i: u32, v: f32) {
        touch(self.ptr_at(i), Access::Atomic);
        // SAFETY: in bounds by `ptr_at`.
        unsafe { crate::atomic::shared::add_f32(self.ptr_at(i), v) }
    }
}
