//! Arithmetic with the same bits on all machines: products are never fused with sums.
use glam::DVec3;

/// `a * b`, rounded by itself.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub fn times(a: f64, b: f64) -> f64 {
    a * b
}
/// `a * b`, rounded by itself.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn times(a: f64, b: f64) -> f64 {
    let product;
    // SAFETY: one instruction on registers.
    unsafe {
        core::arch::asm!("mul.rn.f64 {r}, {a}, {b};", r = out(reg64) product, a = in(reg64) a,
            b = in(reg64) b, options(pure, nomem, nostack, preserves_flags));
    }
    product
}

/// The scalar product.
#[inline(always)]
pub fn dot(a: DVec3, b: DVec3) -> f64 {
    times(a.x, b.x) + times(a.y, b.y) + times(a.z, b.z)
}
/// The vector product.
#[inline(always)]
pub fn cross(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(
        times(a.y, b.z) - times(b.y, a.z),
        times(a.z, b.x) - times(b.z, a.x),
        times(a.x, b.y) - times(b.x, a.y),
    )
}
/// The length.
#[inline(always)]
pub fn length(a: DVec3) -> f64 {
    libm::sqrt(dot(a, a))
}
/// The greater of two numbers.
#[inline(always)]
pub fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
/// The lesser of two numbers.
#[inline(always)]
pub fn lesser(a: f64, b: f64) -> f64 {
    if a > b { b } else { a }
}
