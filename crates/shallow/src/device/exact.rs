//! Arithmetic with the same bits on all machines: products are never fused with sums.
use ribbonmesh_expression::machine::{Machine, Numbers};

/// `a * b`, rounded by itself.
#[inline(always)]
pub fn mul(a: f32, b: f32) -> f32 {
    Numbers::<false>.mul(a, b)
}
/// The square root.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    Numbers::<false>.sqrt(x)
}
/// The nearest whole number, halves to the even one.
#[inline(always)]
pub fn rint(x: f32) -> f32 {
    Numbers::<false>.rint(x)
}
/// The lesser; `b` if one of them is NaN.
#[inline(always)]
pub fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
/// The greater; `b` if one of them is NaN.
#[inline(always)]
pub fn greatest(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
/// The absolute value.
#[inline(always)]
pub fn abs(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0x7fff_ffff)
}
/// The power 4/3 of a positive number that is not subnormal, to a few units in the last place.
#[inline(always)]
pub fn four_thirds(x: f32) -> f32 {
    // a third of the exponent and of the mantissa is within 4 percent; Halley's iteration triples the digits
    let mut root = f32::from_bits(x.to_bits() / 3 + 709_958_130);
    let mut k = 0;
    while k < 2 {
        let cube = mul(mul(root, root), root);
        root = mul(root, (cube + x + x) / (cube + cube + x));
        k += 1;
    }
    mul(x, root)
}
