//! Atomics on shared memory. On the CPU one thread runs a block, so plain operations do.
#[cfg(target_arch = "nvptx64")]
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

macro_rules! on { ($($name:ident, $method:ident, |$old:ident, $v:ident| $cpu:expr;)*) => { $(
    /// # Safety
    /// `p` is valid shared memory of this block.
    #[inline(always)]
    pub unsafe fn $name(p: *mut u32, $v: u32) -> u32 {
        // SAFETY: a valid pointer to shared memory, by the function's contract; on the CPU one thread runs
        // the block.
        #[cfg(target_arch = "nvptx64")]
        return unsafe { AtomicU32::from_ptr(p) }.$method($v, Relaxed);
        // SAFETY: a valid pointer to shared memory, by the function's contract; on the CPU one thread runs
        // the block.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe { let $old = *p; *p = $cpu; $old }
    }
)* } }
on! {
    add_u32, fetch_add, |old, v| old.wrapping_add(v);
    min_u32, fetch_min, |old, v| old.min(v);
    or_u32, fetch_or, |old, v| old | v;
}
/// # Safety
/// As above.
#[inline(always)]
pub unsafe fn cas_u32(p: *mut u32, current: u32, new: u32) -> u32 {
    // SAFETY: a valid pointer to shared memory, by the function's contract; on the CPU one thread runs the
    // block.
    #[cfg(target_arch = "nvptx64")]
    return match unsafe { AtomicU32::from_ptr(p) }.compare_exchange(current, new, Relaxed, Relaxed) {
        Ok(v) | Err(v) => v,
    };
    // SAFETY: a valid pointer to shared memory, by the function's contract; on the CPU one thread runs the
    // block.
    #[cfg(not(target_arch = "nvptx64"))]
    unsafe {
        let old = *p;
        if old == current {
            *p = new
        }
        old
    }
}
/// # Safety
/// As above.
#[inline(always)]
pub unsafe fn add_f32(p: *mut f32, v: f32) {
    // SAFETY: a valid pointer to shared memory, by the function's contract; on the CPU one thread runs the
    // block.
    #[cfg(target_arch = "nvptx64")]
    unsafe {
        core::arch::asm!("{{ .reg .u64 t; cvta.to.shared.u64 t, {p}; red.relaxed.cta.shared.add.f32 [t], {v}; }}",
            v = in(reg32) v, p = in(reg64) p, options(nostack, preserves_flags))
    }
    // SAFETY: a valid pointer to shared memory, by the function's contract; on the CPU one thread runs the
    // block.
    #[cfg(not(target_arch = "nvptx64"))]
    unsafe {
        *p += v
    }
}
