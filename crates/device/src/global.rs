//! Loads and stores of global memory.
//!
//! On the GPU they are written out, because the compiler cannot tell that a kernel's pointers lead to global
//! memory and would ask at run time.
use bytemuck::Pod;

/// # Safety
/// `p` is valid, and nothing writes there while the kernel runs.
#[inline(always)]
pub unsafe fn load_constant<T: Pod>(p: *const T) -> T {
    // SAFETY: a valid pointer, by the function's contract.
    #[cfg(target_arch = "nvptx64")]
    unsafe {
        gpu::load::<T, true>(p)
    }
    // SAFETY: a valid pointer, by the function's contract.
    #[cfg(not(target_arch = "nvptx64"))]
    unsafe {
        *p
    }
}
/// # Safety
/// `p` is valid.
#[inline(always)]
pub unsafe fn load<T: Pod>(p: *const T) -> T {
    // SAFETY: a valid pointer, by the function's contract.
    #[cfg(target_arch = "nvptx64")]
    unsafe {
        gpu::load::<T, false>(p)
    }
    // SAFETY: a valid pointer, by the function's contract.
    #[cfg(not(target_arch = "nvptx64"))]
    unsafe {
        *p
    }
}
/// # Safety
/// `p` is valid.
#[inline(always)]
pub unsafe fn store<T: Pod>(p: *mut T, value: T) {
    // SAFETY: a valid pointer, by the function's contract.
    #[cfg(target_arch = "nvptx64")]
    unsafe {
        gpu::store(p, value)
    }
    // SAFETY: a valid pointer, by the function's contract.
    #[cfg(not(target_arch = "nvptx64"))]
    unsafe {
        *p = value
    }
}

#[cfg(target_arch = "nvptx64")]
mod gpu {
    use bytemuck::Pod;
    use core::arch::asm;
    use core::mem::transmute_copy;

    /// One instruction for 2, 4, 8 or 16 aligned bytes; one for each word of larger values.
    #[inline(always)]
    pub unsafe fn load<T: Pod, const CONSTANT: bool>(p: *const T) -> T {
        macro_rules! one { ($t:ty, $reg:ident, $suffix:literal, $p:expr) => {{
            let v: $t;
            if CONSTANT {
                asm!(concat!("ld.global.nc.", $suffix, " {v}, [{p}];"), v = out($reg) v, p = in(reg64) $p,
                    options(pure, nomem, nostack, preserves_flags));
            } else {
                asm!(concat!("ld.global.", $suffix, " {v}, [{p}];"), v = out($reg) v, p = in(reg64) $p,
                    options(readonly, nostack, preserves_flags));
            }
            v
        }} }
        macro_rules! four { ($name:literal, $($option:ident),*) => {{
            let (a, b, c, d): (u32, u32, u32, u32);
            asm!(concat!("ld.global", $name, ".v4.u32 {{{a}, {b}, {c}, {d}}}, [{p}];"), a = out(reg32) a,
                b = out(reg32) b, c = out(reg32) c, d = out(reg32) d, p = in(reg64) p,
                options($($option),*, nostack, preserves_flags));
            [a, b, c, d]
        }} }
        // SAFETY: a valid pointer, by the function's contract.
        unsafe {
            match (size_of::<T>(), align_of::<T>()) {
                (2, 2) => transmute_copy(&one!(u16, reg16, "u16", p)),
                (4, 4) => transmute_copy(&one!(u32, reg32, "u32", p)),
                (8, 8) => transmute_copy(&one!(u64, reg64, "u64", p)),
                (16, 16) if CONSTANT => transmute_copy(&four!(".nc", pure, nomem)),
                (16, 16) => transmute_copy(&four!("", readonly)),
                (8, 4) => transmute_copy(&words::<2>(p.cast(), |p| one!(u32, reg32, "u32", p))),
                (12, 4) => transmute_copy(&words::<3>(p.cast(), |p| one!(u32, reg32, "u32", p))),
                (16, 4) => transmute_copy(&words::<4>(p.cast(), |p| one!(u32, reg32, "u32", p))),
                _ => *p,
            }
        }
    }
    #[inline(always)]
    unsafe fn words<const N: usize>(p: *const u32, load: impl Fn(*const u32) -> u32) -> [u32; N] {
        // SAFETY: a valid pointer, by the function's contract.
        core::array::from_fn(|k| load(unsafe { p.add(k) }))
    }
    #[inline(always)]
    pub unsafe fn store<T: Pod>(p: *mut T, value: T) {
        macro_rules! one { ($t:ty, $reg:ident, $suffix:literal, $p:expr, $v:expr) => {{
            let v: $t = $v;
            asm!(concat!("st.global.", $suffix, " [{p}], {v};"), v = in($reg) v, p = in(reg64) $p,
                options(nostack, preserves_flags));
        }} }
        // SAFETY: a valid pointer, by the function's contract.
        unsafe {
            match (size_of::<T>(), align_of::<T>()) {
                (2, 2) => one!(u16, reg16, "u16", p, transmute_copy(&value)),
                (4, 4) => one!(u32, reg32, "u32", p, transmute_copy(&value)),
                (8, 8) => one!(u64, reg64, "u64", p, transmute_copy(&value)),
                (16, 16) => {
                    let [a, b, c, d]: [u32; 4] = transmute_copy(&value);
                    asm!("st.global.v4.u32 [{p}], {{{a}, {b}, {c}, {d}}};", a = in(reg32) a, b = in(reg32) b,
                        c = in(reg32) c, d = in(reg32) d, p = in(reg64) p, options(nostack, preserves_flags));
                }
                (8, 4) | (12, 4) | (16, 4) => {
                    let p = p.cast::<u32>();
                    let word = |k: usize| *(&raw const value).cast::<u32>().add(k);
                    one!(u32, reg32, "u32", p, word(0));
                    one!(u32, reg32, "u32", p.add(1), word(1));
                    if size_of::<T>() > 8 {
                        one!(u32, reg32, "u32", p.add(2), word(2));
                    }
                    if size_of::<T>() > 12 {
                        one!(u32, reg32, "u32", p.add(3), word(3));
                    }
                }
                _ => *p = value,
            }
        }
    }
}
