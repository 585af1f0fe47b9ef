//! Float functions that the GPU has an instruction for and `core` has not.

/// 1 / x, to about 1 ulp on the GPU; the correctly rounded quotient on the CPU. 1 / 0 is infinite.
#[inline(always)]
pub fn fast_recip(x: f32) -> f32 {
    // SAFETY: one instruction on registers.
    #[cfg(target_arch = "nvptx64")]
    unsafe {
        let r;
        core::arch::asm!("rcp.approx.ftz.f32 {r}, {x};", r = out(reg32) r, x = in(reg32) x,
            options(pure, nomem, nostack, preserves_flags));
        r
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        1.0 / x
    }
}

/// Square root, correctly rounded on both machines.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    // SAFETY: one instruction on registers.
    #[cfg(target_arch = "nvptx64")]
    unsafe {
        let r;
        core::arch::asm!("sqrt.rn.f32 {r}, {x};", r = out(reg32) r, x = in(reg32) x,
            options(pure, nomem, nostack, preserves_flags));
        r
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        x.sqrt()
    }
}
