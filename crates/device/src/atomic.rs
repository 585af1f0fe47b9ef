//! Atomics on global memory, with the order and the scope named at every call.
//!
//! All communication between blocks of a launch goes through here. The functions exist because the compiler
//! drops the order of `core`'s read-modify-write operations on the GPU (they all become relaxed) and knows no
//! scopes. On the CPU the scope does not matter.
use crate::view::Out;

/// Memory ordering of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Not at all: atomicity only.
    Relaxed,
    /// Nothing after it moves before it.
    Acquire,
    /// Nothing before it moves after it.
    Release,
    /// Both.
    AcqRel,
}

/// Scope of an operation: the threads for which it is atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The threads of the block.
    Block,
    /// All threads of the device.
    Device,
    /// The other devices and the host as well.
    System,
}

macro_rules! operations { ($($(#[$doc:meta])* $name:ident, $trait:ident, $method:ident, [$($t:ident $reg:ident: $ptx:literal),*];)*) => { $(
    #[doc(hidden)]
    pub trait $trait: bytemuck::Pod {
        /// # Safety
        /// `p` is valid and aligned.
        unsafe fn $method(p: *mut Self, v: Self, order: Order, scope: Scope) -> Self;
    }
    $(#[$doc])*
    /// Returns the value before.
    #[inline(always)]
    #[track_caller]
    pub fn $name<T: $trait>(memory: Out<'_, T>, i: u32, v: T, order: Order, scope: Scope) -> T {
        // SAFETY: in bounds by `ptr_at`.
        unsafe { T::$method(memory.ptr_at(i), v, order, scope) }
    }
    $(impl $trait for $t {
        #[inline(always)]
        #[cfg_attr(not(target_arch = "nvptx64"), allow(unused_variables))]
        unsafe fn $method(p: *mut Self, v: Self, order: Order, scope: Scope) -> Self {
            // SAFETY: a valid and aligned pointer, by the method's contract.
            #[cfg(target_arch = "nvptx64")]
            unsafe { gpu::rmw!($t, $reg, $ptx, p, v, order, scope) }
            // SAFETY: a valid and aligned pointer, by the method's contract.
            #[cfg(not(target_arch = "nvptx64"))]
            unsafe { <$t as cpu::Rmw>::$method(p, v, cpu::ordering(order)) }
        }
    })*
)* } }
operations! {
    /// Adds `v`.
    fetch_add, FetchAdd, add, [u32 reg32: "add.u32", u64 reg64: "add.u64", i32 reg32: "add.s32"];
    /// Minimum with `v`.
    fetch_min, FetchMin, min, [u32 reg32: "min.u32", u64 reg64: "min.u64", i32 reg32: "min.s32"];
    /// Maximum with `v`.
    fetch_max, FetchMax, max, [u32 reg32: "max.u32", u64 reg64: "max.u64", i32 reg32: "max.s32"];
    /// Bitwise and with `v`.
    fetch_and, FetchAnd, and, [u32 reg32: "and.b32", u64 reg64: "and.b64"];
    /// Bitwise or with `v`.
    fetch_or, FetchOr, or, [u32 reg32: "or.b32", u64 reg64: "or.b64"];
    /// Writes `v`.
    exchange, Exchange, swap, [u32 reg32: "exch.b32", u64 reg64: "exch.b64"];
}

impl FetchAdd for f32 {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), allow(unused_variables))]
    unsafe fn add(p: *mut f32, v: f32, order: Order, scope: Scope) -> f32 {
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(target_arch = "nvptx64")]
        unsafe {
            gpu::rmw!(f32, reg32, "add.f32", p, v, order, scope)
        }
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe {
            cpu::add_f32(p, v, cpu::ordering(order))
        }
    }
}

// A float's order is that of its bits: ascending as signed for positive values, descending as unsigned for
// negative ones. So one integer operation does it (no NaN, and -0 is below 0).
impl FetchMin for f32 {
    #[inline(always)]
    unsafe fn min(p: *mut f32, v: f32, order: Order, scope: Scope) -> f32 {
        let bits = v.to_bits();
        // SAFETY: a valid and aligned pointer, by the method's contract.
        unsafe {
            if v.is_sign_negative() {
                f32::from_bits(<u32 as FetchMax>::max(p.cast(), bits, order, scope))
            } else {
                f32::from_bits(<i32 as FetchMin>::min(p.cast(), bits as i32, order, scope) as u32)
            }
        }
    }
}
impl FetchMax for f32 {
    #[inline(always)]
    unsafe fn max(p: *mut f32, v: f32, order: Order, scope: Scope) -> f32 {
        let bits = v.to_bits();
        // SAFETY: a valid and aligned pointer, by the method's contract.
        unsafe {
            if v.is_sign_negative() {
                f32::from_bits(<u32 as FetchMin>::min(p.cast(), bits, order, scope))
            } else {
                f32::from_bits(<i32 as FetchMax>::max(p.cast(), bits as i32, order, scope) as u32)
            }
        }
    }
}

#[doc(hidden)]
pub trait Word: bytemuck::Pod {
    /// # Safety
    /// `p` is valid and aligned.
    unsafe fn load(p: *mut Self, order: Order, scope: Scope) -> Self;
    /// # Safety
    /// `p` is valid and aligned.
    unsafe fn store(p: *mut Self, v: Self, order: Order, scope: Scope);
    /// # Safety
    /// `p` is valid and aligned.
    unsafe fn cas(p: *mut Self, current: Self, new: Self, order: Order, scope: Scope) -> Self;
}
/// Element `i`, as some thread has written it. `order` is relaxed or acquire.
#[inline(always)]
#[track_caller]
pub fn load<T: Word>(memory: Out<'_, T>, i: u32, order: Order, scope: Scope) -> T {
    // SAFETY: in bounds by `ptr_at`.
    unsafe { T::load(memory.ptr_at(i), order, scope) }
}
/// Writes element `i`. `order` is relaxed or release.
#[inline(always)]
#[track_caller]
pub fn store<T: Word>(memory: Out<'_, T>, i: u32, v: T, order: Order, scope: Scope) {
    // SAFETY: in bounds by `ptr_at`.
    unsafe { T::store(memory.ptr_at(i), v, order, scope) }
}
/// Writes `new` to element `i` if it is `current`; returns the value before, which is `current` on success.
#[inline(always)]
#[track_caller]
pub fn compare_exchange<T: Word>(
    memory: Out<'_, T>,
    i: u32,
    current: T,
    new: T,
    order: Order,
    scope: Scope,
) -> T {
    // SAFETY: in bounds by `ptr_at`.
    unsafe { T::cas(memory.ptr_at(i), current, new, order, scope) }
}

/// Orders the thread's earlier accesses before its later ones, in `scope`.
#[inline(always)]
#[allow(unused_variables)]
pub fn fence(order: Order, scope: Scope) {
    #[cfg(target_arch = "nvptx64")]
    gpu::fence(scope);
    #[cfg(not(target_arch = "nvptx64"))]
    if order != Order::Relaxed {
        core::sync::atomic::fence(cpu::ordering(order));
    }
}

macro_rules! words { ($($t:ident $reg:ident: $bits:literal;)*) => { $(impl Word for $t {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), allow(unused_variables))]
    unsafe fn load(p: *mut Self, order: Order, scope: Scope) -> Self {
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(target_arch = "nvptx64")]
        unsafe { gpu::load!($t, $reg, $bits, p, order, scope) }
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe { cpu::$t(p).load(cpu::load_ordering(order)) }
    }
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), allow(unused_variables))]
    unsafe fn store(p: *mut Self, v: Self, order: Order, scope: Scope) {
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(target_arch = "nvptx64")]
        unsafe { gpu::store!($t, $reg, $bits, p, v, order, scope) }
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe { cpu::$t(p).store(v, cpu::store_ordering(order)) }
    }
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), allow(unused_variables))]
    unsafe fn cas(p: *mut Self, current: Self, new: Self, order: Order, scope: Scope) -> Self {
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(target_arch = "nvptx64")]
        unsafe { gpu::cas!($t, $reg, $bits, p, current, new, order, scope) }
        // SAFETY: a valid and aligned pointer, by the method's contract.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe {
            match cpu::$t(p).compare_exchange(current, new, cpu::ordering(order), cpu::load_ordering(order)) {
                Ok(v) | Err(v) => v,
            }
        }
    }
})* } }
words! { u32 reg32: "b32"; u64 reg64: "b64"; }

#[cfg(target_arch = "nvptx64")]
mod gpu;

#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
pub(crate) mod shared;
