//! Functions that are exact, or a few operations.

use super::{is_nan, with_sign};
use crate::machine::Machine;

/// The nearest integer, halves away from zero.
#[inline(always)]
pub fn round<M: Machine>(m: &M, x: M::Float) -> M::Float {
    // the greatest number below one half: one half itself would lift 0.49999997 to 1
    let half = with_sign(m, m.constant(f32::from_bits(0x3eff_ffff)), x);
    m.trunc(m.add(x, half))
}

/// -1, 0 or 1; a zero keeps its sign, and NaN stays.
#[inline(always)]
pub fn sign<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let zero = m.constant(0.0);
    m.select(m.less(zero, x), m.constant(1.0), m.select(m.less(x, zero), m.constant(-1.0), x))
}

/// The lesser number; the other one if one is NaN, and the first of two zeros.
#[inline(always)]
pub fn min<M: Machine>(m: &M, a: M::Float, b: M::Float) -> M::Float {
    m.select(m.either(m.less_equal(a, b), is_nan(m, b)), a, b)
}

/// The greater number; the other one if one is NaN, and the first of two zeros.
#[inline(always)]
pub fn max<M: Machine>(m: &M, a: M::Float, b: M::Float) -> M::Float {
    m.select(m.either(m.less_equal(b, a), is_nan(m, b)), a, b)
}

/// `a - b * floor(a / b)`: the rest of a division, with the sign of `b`.
#[inline(always)]
pub fn modulo<M: Machine>(m: &M, a: M::Float, b: M::Float) -> M::Float {
    m.fma(m.neg(b), m.floor(m.div(a, b)), a)
}

/// 1 where the mask is true, else 0.
#[inline(always)]
pub fn truth<M: Machine>(m: &M, mask: M::Mask) -> M::Float {
    m.select(mask, m.constant(1.0), m.constant(0.0))
}
