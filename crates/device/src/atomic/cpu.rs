//! The operations on the CPU: the standard library's atomics.
use super::Order;
use core::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
pub fn ordering(order: Order) -> Ordering {
    match order {
        Order::Relaxed => Ordering::Relaxed,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel => Ordering::AcqRel,
    }
}
/// The part of an order that a load can have.
pub fn load_ordering(order: Order) -> Ordering {
    if matches!(order, Order::Relaxed | Order::Release) { Ordering::Relaxed } else { Ordering::Acquire }
}
/// The part of an order that a store can have.
pub fn store_ordering(order: Order) -> Ordering {
    if matches!(order, Order::Relaxed | Order::Acquire) { Ordering::Relaxed } else { Ordering::Release }
}
pub unsafe fn u32<'a>(p: *mut u32) -> &'a AtomicU32 {
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe { AtomicU32::from_ptr(p) }
}
pub unsafe fn u64<'a>(p: *mut u64) -> &'a AtomicU64 {
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe { AtomicU64::from_ptr(p) }
}
unsafe fn i32<'a>(p: *mut i32) -> &'a AtomicI32 {
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe { AtomicI32::from_ptr(p) }
}
/// The read-modify-write operations that a type has.
pub trait Rmw: Sized {
    unsafe fn add(p: *mut Self, v: Self, order: Ordering) -> Self;
    unsafe fn min(p: *mut Self, v: Self, order: Ordering) -> Self;
    unsafe fn max(p: *mut Self, v: Self, order: Ordering) -> Self;
    unsafe fn and(p: *mut Self, v: Self, order: Ordering) -> Self;
    unsafe fn or(p: *mut Self, v: Self, order: Ordering) -> Self;
    unsafe fn swap(p: *mut Self, v: Self, order: Ordering) -> Self;
}
macro_rules! rmw { ($($t:ident)*) => { $(impl Rmw for $t {
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe fn add(p: *mut Self, v: Self, order: Ordering) -> Self { unsafe { $t(p).fetch_add(v, order) } }
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe fn min(p: *mut Self, v: Self, order: Ordering) -> Self { unsafe { $t(p).fetch_min(v, order) } }
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe fn max(p: *mut Self, v: Self, order: Ordering) -> Self { unsafe { $t(p).fetch_max(v, order) } }
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe fn and(p: *mut Self, v: Self, order: Ordering) -> Self { unsafe { $t(p).fetch_and(v, order) } }
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe fn or(p: *mut Self, v: Self, order: Ordering) -> Self { unsafe { $t(p).fetch_or(v, order) } }
    // SAFETY: a valid and aligned pointer, by the function's contract.
    unsafe fn swap(p: *mut Self, v: Self, order: Ordering) -> Self { unsafe { $t(p).swap(v, order) } }
})* } }
rmw!(u32 u64 i32);
/// # Safety
/// `p` is valid and aligned.
pub unsafe fn add_f32(p: *mut f32, v: f32, order: Ordering) -> f32 {
    let sum = |old| Some((f32::from_bits(old) + v).to_bits());
    // SAFETY: a valid and aligned pointer, by the function's contract.
    match unsafe { u32(p.cast()) }.fetch_update(order, Ordering::Relaxed, sum) {
        Ok(old) | Err(old) => f32::from_bits(old),
    }
}
