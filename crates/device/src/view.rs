//! Views of global memory: buffers as a kernel sees them.
use crate::fault::{self, CHECKED};
use crate::global;
use bytemuck::Pod;
use core::marker::PhantomData;

/// Global memory that nothing writes while the kernel runs.
#[repr(C)]
pub struct In<'a, T> {
    ptr: *const T,
    len: u64,
    life: PhantomData<&'a [T]>,
}

/// Global memory that the kernel writes.
///
/// # The contract of a kernel's author
/// It is shared by all blocks of a launch. No type can check these rules. An element is written by one
/// iteration of one loop only. An iteration reads its own writes or, after a barrier, the writes of its
/// block. Data between blocks are passed by [`crate::atomic`], or have
/// [`Block::grid_sync`](crate::Block::grid_sync) between the write and the read. Shared memory has the same
/// rules within a block.
///
/// A kernel that breaks them has a data race, which is undefined behaviour although it writes no `unsafe`:
/// wide values may be torn, half old and half new. Everything else is checked: see decision 14,
/// `docs/decisions/0014-soundness.md`.
#[repr(C)]
pub struct Out<'a, T> {
    ptr: *mut T,
    len: u64,
    life: PhantomData<&'a mut [T]>,
}

macro_rules! copy { ($($t:ident),*) => { $(
    impl<T> Clone for $t<'_, T> { #[inline(always)] fn clone(&self) -> Self { *self } }
    impl<T> Copy for $t<'_, T> {}
    // SAFETY: plain addresses; the rules of access are those of the types above.
    unsafe impl<T: Send + Sync> Send for $t<'_, T> {}
    // SAFETY: as above.
    unsafe impl<T: Send + Sync> Sync for $t<'_, T> {}
    impl<T> $t<'_, T> {
        /// Number of elements.
        #[inline(always)]
        pub fn len(&self) -> usize { length(self.len) as usize }
        /// Whether there are none.
        #[inline(always)]
        pub fn is_empty(&self) -> bool { self.len() == 0 }
        #[cfg(not(target_arch = "nvptx64"))]
        pub(crate) fn address(&self) -> usize { self.ptr.addr() }
        /// The same with its length alone: whatever reads or writes an element is a fault.
        #[cfg(not(target_arch = "nvptx64"))]
        pub(crate) fn absent(self) -> Self { Self { len: self.len | ABSENT, ..self } }
    }
)* } }
copy!(In, Out);

/// Four words that one instruction moves (16 bytes, aligned).
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quad(pub [u32; 4]);
// SAFETY: 16 bytes of plain words, no padding.
unsafe impl bytemuck::Zeroable for Quad {}
// SAFETY: as above.
unsafe impl Pod for Quad {}

/// Set in the length of a view of which the host knows the length alone: as a signed number it is below every
/// index.
pub(crate) const ABSENT: u64 = 1 << 63;

/// The length without [`ABSENT`], which no view has on the GPU.
#[inline(always)]
const fn length(len: u64) -> u64 {
    if cfg!(target_arch = "nvptx64") { len } else { len & !ABSENT }
}
/// Whether there is an element `i` to read.
#[inline(always)]
const fn is_within(i: u64, len: u64) -> bool {
    if cfg!(target_arch = "nvptx64") { i < len } else { (i as i64) < len as i64 }
}
/// As many elements of type `U` as there are whole ones in `len` of type `T`.
#[inline(always)]
const fn rescaled<T, U>(len: u64) -> u64 {
    (length(len) * size_of::<T>() as u64 / size_of::<U>() as u64) | (len & !length(len))
}

/// Ends the block unless `i < len`.
#[inline(always)]
#[track_caller]
fn check<T>(ptr: *const T, i: u64, len: u64) {
    if CHECKED && !is_within(i, len) {
        fault::out_of_bounds(Some(ptr.addr()), i, len);
    }
}
/// Ends the block unless memory at `ptr` may hold a `U`.
#[inline(always)]
#[track_caller]
fn check_alignment<T, U>(ptr: *const T) {
    const { assert!(size_of::<U>() > 0) };
    if CHECKED && align_of::<U>() > align_of::<T>() && !ptr.addr().is_multiple_of(align_of::<U>()) {
        fault::misaligned(ptr.addr(), align_of::<U>());
    }
}

impl<'a, T: Pod> In<'a, T> {
    /// A view of `len` elements at `ptr`.
    /// # Safety
    /// `ptr` is valid on the machine that runs the kernel, for reads of `len` elements, during `'a`.
    pub const unsafe fn new(ptr: *const T, len: usize) -> Self {
        Self { ptr, len: len as u64, life: PhantomData }
    }
    /// A view without elements.
    pub const fn empty() -> Self {
        Self { ptr: core::ptr::null(), len: 0, life: PhantomData }
    }
    /// Element `i`.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, i: u32) -> T {
        check(self.ptr, i as u64, self.len);
        // SAFETY: in bounds: compared just now, or promised by `ribbonmesh_unchecked`.
        unsafe { global::load_constant(self.ptr.add(i as usize)) }
    }
    /// Element `i`, or `None` if `i` is out of bounds. For indices that come from data: checked in every
    /// build.
    #[inline(always)]
    pub fn try_get(&self, i: u32) -> Option<T> {
        if !is_within(i as u64, self.len) {
            return None;
        }
        // SAFETY: compared just now.
        Some(unsafe { global::load_constant(self.ptr.add(i as usize)) })
    }
    /// The part from `i` on.
    #[inline(always)]
    #[track_caller]
    pub fn at(&self, i: u32) -> Self {
        check(self.ptr, i as u64, self.len.wrapping_add(1));
        Self {
            // SAFETY: at most one past the end: compared just now, or promised by `ribbonmesh_unchecked`.
            ptr: unsafe { self.ptr.add(i as usize) },
            len: self.len.wrapping_sub(i as u64),
            life: PhantomData,
        }
    }
    /// The same memory as wider elements. It must begin at a multiple of `U`'s alignment.
    #[inline(always)]
    #[track_caller]
    pub fn wide<U: Pod>(&self) -> In<'a, U> {
        check_alignment::<T, U>(self.ptr);
        In { ptr: self.ptr.cast(), len: rescaled::<T, U>(self.len), life: PhantomData }
    }
}

impl<'a, T: Pod> Out<'a, T> {
    /// A view of `len` elements at `ptr`.
    /// # Safety
    /// As [`In::new`], for reads and writes.
    pub const unsafe fn new(ptr: *mut T, len: usize) -> Self {
        Self { ptr, len: len as u64, life: PhantomData }
    }
    /// A view without elements.
    pub const fn empty() -> Self {
        Self { ptr: core::ptr::null_mut(), len: 0, life: PhantomData }
    }
    /// Writes element `i`.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, i: u32, value: T) {
        // SAFETY: in bounds by `ptr_at`; that nothing else touches it is the contract of writing a kernel.
        unsafe { global::store(self.ptr_at(i), value) }
    }
    /// Reads element `i`, as far as the rules above allow.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, i: u32) -> T {
        // SAFETY: in bounds by `ptr_at`; that nothing writes it meanwhile is the contract of writing a
        // kernel.
        unsafe { global::load(self.ptr_at(i)) }
    }
    /// Element `i`, or `None` if `i` is out of bounds. For indices that come from data: checked in every
    /// build.
    #[inline(always)]
    pub fn try_get(&self, i: u32) -> Option<T> {
        if is_within(i as u64, self.len) { Some(self.get(i)) } else { None }
    }
    /// Writes element `i` if there is one; whether there is. For an index that comes from data: it is
    /// compared in every build.
    #[inline(always)]
    pub fn try_set(&self, i: u32, value: T) -> bool {
        if !is_within(i as u64, self.len) {
            return false;
        }
        self.set(i, value);
        true
    }
    /// The same memory as wider elements. It must begin at a multiple of `U`'s alignment.
    #[inline(always)]
    #[track_caller]
    pub fn wide<U: Pod>(&self) -> Out<'a, U> {
        check_alignment::<T, U>(self.ptr);
        Out { ptr: self.ptr.cast(), len: rescaled::<T, U>(self.len), life: PhantomData }
    }
    /// The address of element `i`, for [`crate::atomic`].
    #[inline(always)]
    #[track_caller]
    pub(crate) fn ptr_at(&self, i: u32) -> *mut T {
        check(self.ptr, i as u64, self.len);
        // SAFETY: in bounds: compared just now, or promised by `ribbonmesh_unchecked`.
        unsafe { self.ptr.add(i as usize) }
    }
}
