//! Vectors of double precision whose products are never fused with sums: the same bits on all machines.
use glam::DVec3;

/// `a * b`, never fused with an addition.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub(crate) fn times(a: f64, b: f64) -> f64 {
    a * b
}
/// `a * b`, never fused with an addition.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn times(a: f64, b: f64) -> f64 {
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
pub(crate) fn dot(a: DVec3, b: DVec3) -> f64 {
    times(a.x, b.x) + times(a.y, b.y) + times(a.z, b.z)
}
/// The vector product.
#[inline(always)]
pub(crate) fn cross(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(
        times(a.y, b.z) - times(b.y, a.z),
        times(a.z, b.x) - times(b.z, a.x),
        times(a.x, b.y) - times(b.x, a.y),
    )
}
/// A vector times a number.
#[inline(always)]
pub(crate) fn scaled(a: DVec3, by: f64) -> DVec3 {
    DVec3::new(times(a.x, by), times(a.y, by), times(a.z, by))
}
/// The length.
#[inline(always)]
pub(crate) fn length(a: DVec3) -> f64 {
    libm::sqrt(dot(a, a))
}
/// The distance between two points.
#[inline(always)]
pub(crate) fn distance(a: DVec3, b: DVec3) -> f64 {
    length(a - b)
}
/// The vector with length 1; zero if it has no direction.
#[inline(always)]
pub(crate) fn unit(a: DVec3) -> DVec3 {
    let inverse = 1.0 / length(a);
    if inverse.is_finite() && inverse > 0.0 { scaled(a, inverse) } else { DVec3::ZERO }
}
