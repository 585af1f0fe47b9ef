//! The mathematical functions, each defined once over a [`Machine`].
//!
//! The approximations are those that kernels call instead of libm's (decision 18); a test compares the bits.
//! `cbrt`, `sinh`, `cosh`, `tanh`, `mod` and `sign` have no counterpart there.

pub(crate) mod angle;
pub(crate) mod exponential;
pub(crate) mod hyperbolic;
pub(crate) mod inverse;
pub(crate) mod power;
pub(crate) mod simple;

use crate::machine::Machine;

/// The polynomial with these coefficients, the highest power's first, by fused operations.
#[inline(always)]
pub(crate) fn polynomial<M: Machine, const N: usize>(m: &M, x: M::Float, coefficients: [f32; N]) -> M::Float {
    let mut sum = m.constant(coefficients[0]);
    for &coefficient in &coefficients[1..] {
        sum = m.fma(sum, x, m.constant(coefficient));
    }
    sum
}

/// `x` between `-bound` and `bound`, and NaN if it is.
#[inline(always)]
pub(crate) fn within<M: Machine>(m: &M, x: M::Float, bound: f32) -> M::Float {
    let (low, high) = (m.constant(-bound), m.constant(bound));
    let x = m.select(m.less(x, low), low, x);
    m.select(m.less(high, x), high, x)
}

/// `x` without its sign, which is that of `sign`.
#[inline(always)]
pub(crate) fn with_sign<M: Machine>(m: &M, x: M::Float, sign: M::Float) -> M::Float {
    let sign = m.int_and(m.bits(sign), m.integer(i32::MIN));
    m.float_of_bits(m.int_or(m.bits(m.abs(x)), sign))
}

/// True for negative numbers and for -0.
#[inline(always)]
pub(crate) fn has_sign<M: Machine>(m: &M, x: M::Float) -> M::Mask {
    m.int_less(m.bits(x), m.integer(0))
}

/// True for NaN.
#[inline(always)]
pub(crate) fn is_nan<M: Machine>(m: &M, x: M::Float) -> M::Mask {
    m.not(m.equal(x, x))
}
