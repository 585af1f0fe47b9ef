//! Sine, cosine and tangent.

use super::polynomial;
use crate::machine::Machine;
use core::f32::consts::{FRAC_2_PI, FRAC_PI_2};

/// The angle up to which three parts of π/2 are subtracted, and from which 2/π is multiplied exactly.
pub const FAR: f32 = 50_000.0;

/// π/2 as a sum of three numbers.
const PI_2: [f32; 3] = [FRAC_PI_2, -4.371_139e-8, -1.715_124_5e-15];

/// The sine, to about 2 ulp for every `x`.
#[inline(always)]
pub fn sin<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let (quadrant, r) = turns(m, x);
    let s = m.select(is_even(m, quadrant), sin_near_zero(m, r), cos_near_zero(m, r));
    with_zero(m, x, m.select(is_upper(m, quadrant), s, m.neg(s)))
}

/// The cosine, to about 2 ulp for every `x`.
#[inline(always)]
pub fn cos<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let (quadrant, r) = turns(m, x);
    let c = m.select(is_even(m, quadrant), cos_near_zero(m, r), sin_near_zero(m, r));
    m.select(is_upper(m, m.int_add(quadrant, m.integer(1))), c, m.neg(c))
}

/// The tangent, to about 3 ulp for every `x`.
#[inline(always)]
pub fn tan<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let (quadrant, r) = turns(m, x);
    let (s, c) = (sin_near_zero(m, r), cos_near_zero(m, r));
    let even = is_even(m, quadrant);
    let quotient = m.div(m.select(even, s, m.neg(c)), m.select(even, c, s));
    with_zero(m, x, quotient)
}

#[inline(always)]
fn is_even<M: Machine>(m: &M, quadrant: M::Int) -> M::Mask {
    m.int_equal(m.int_and(quadrant, m.integer(1)), m.integer(0))
}

#[inline(always)]
fn is_upper<M: Machine>(m: &M, quadrant: M::Int) -> M::Mask {
    m.int_equal(m.int_and(quadrant, m.integer(2)), m.integer(0))
}

/// A zero that keeps its sign, and `value` for everything else.
#[inline(always)]
fn with_zero<M: Machine>(m: &M, x: M::Float, value: M::Float) -> M::Float {
    m.select(m.equal(x, m.constant(0.0)), x, value)
}

/// `x = quadrant * π/2 + r`, with r from -π/4 to π/4; the quadrant counts modulo 4.
#[inline(always)]
fn turns<M: Machine>(m: &M, x: M::Float) -> (M::Int, M::Float) {
    let n = m.rint(m.mul(x, m.constant(FRAC_2_PI)));
    let minus = m.neg(n);
    let rest = m.fma(minus, m.constant(PI_2[1]), m.fma(minus, m.constant(PI_2[0]), x));
    let near = (m.to_int(n), m.fma(minus, m.constant(PI_2[2]), rest));
    m.far_turns(m.less(m.constant(FAR), m.abs(x)), x, near)
}

/// The sine from -π/4 to π/4.
#[inline(always)]
fn sin_near_zero<M: Machine>(m: &M, r: M::Float) -> M::Float {
    let z = m.mul(r, r);
    let p = polynomial(m, z, [-0.000_195_180_85, 0.008_332_188, -0.166_666_55]);
    m.fma(m.mul(p, z), r, r)
}

/// The cosine from -π/4 to π/4.
#[inline(always)]
fn cos_near_zero<M: Machine>(m: &M, r: M::Float) -> M::Float {
    let z = m.mul(r, r);
    polynomial(m, z, [2.443_254_4e-5, -0.001_388_731_1, 0.041_666_646, -0.5, 1.0])
}
