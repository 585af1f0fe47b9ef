//! Code that a device of one card does not run.

/// Whether a kernel may run on several cards, so that code for one alone costs nothing: a branch on it is
/// `false` to the compiler of machine code where there is one card, and unknown to the compiler of PTX. The
/// machine writes `true` into the text where it makes a kernel for several cards. On the CPU, which may play
/// several cards, it is always `true`: a kernel also asks its arguments how many there are.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn several_cards() -> bool {
    let several: u32;
    // SAFETY: moves a number to a register. The machine looks for this very text.
    unsafe {
        core::arch::asm!(
            "{{ .reg .b32 several; mov.b32 several, 0; mov.b32 {r}, several; }}",
            r = out(reg32) several,
            options(pure, nomem, nostack, preserves_flags)
        )
    }
    several != 0
}
/// Whether a kernel may run on several cards, so that code for one alone costs nothing: a branch on it is
/// `false` to the compiler of machine code where there is one card, and unknown to the compiler of PTX. The
/// machine writes `true` into the text where it makes a kernel for several cards. On the CPU, which may play
/// several cards, it is always `true`: a kernel also asks its arguments how many there are.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub const fn several_cards() -> bool {
    true
}
