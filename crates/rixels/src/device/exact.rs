//! Arithmetic with the same bits on all machines: products are never fused with sums.
use ribbonmesh_expression::machine::{Machine, Numbers};

/// `a * b`, rounded by itself.
#[inline(always)]
pub fn mul(a: f32, b: f32) -> f32 {
    Numbers::<false>.mul(a, b)
}
/// The nearest whole number, halves to the even one.
#[inline(always)]
pub fn rint(x: f32) -> f32 {
    Numbers::<false>.rint(x)
}
/// `a b - c d`, each product rounded.
#[inline(always)]
pub fn cross(a: f32, b: f32, c: f32, d: f32) -> f32 {
    mul(a, b) - mul(c, d)
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
/// `x` within `low` and `high`.
#[inline(always)]
pub fn between(x: f32, low: f32, high: f32) -> f32 {
    if x > low { if x < high { x } else { high } } else { low }
}

/// The sign of a number.
const SIGN: u32 = 1 << 31;

/// Bits whose order as whole numbers is that of the numbers.
#[inline(always)]
pub fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}
/// The number with these [`ordered`] bits.
#[inline(always)]
pub fn number(ordered: u32) -> f32 {
    f32::from_bits(if ordered & SIGN == 0 { !ordered } else { ordered & !SIGN })
}
