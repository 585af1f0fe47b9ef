//! Inverse trigonometric functions, and the length of a vector of two.

use super::{has_sign, is_nan, polynomial, with_sign};
use crate::machine::Machine;
use core::f32::consts::{FRAC_PI_2, PI};

/// The exact constant minus its rounded value.
const PI_REST: f32 = -8.742_278e-8;
const FRAC_PI_2_REST: f32 = -4.371_139e-8;

/// The angle whose tangent is `x`, to about 2 ulp.
#[inline(always)]
pub fn atan<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let a = m.abs(x);
    let one = m.constant(1.0);
    let steep = m.less(one, a);
    let angle = atan_to_one(m, m.select(steep, m.div(one, a), a));
    with_sign(m, m.select(steep, from_right_angle(m, angle), angle), x)
}

/// The angle of the vector `(x, y)`, from -π to π, to about 3 ulp.
#[inline(always)]
pub fn atan2<M: Machine>(m: &M, y: M::Float, x: M::Float) -> M::Float {
    let (a, b) = (m.abs(x), m.abs(y));
    let steep = m.less(a, b);
    let (less, greater) = (m.select(steep, a, b), m.select(steep, b, a));
    // (0, 0) has the angle 0 or π, and two infinite coordinates are as long as each other
    let zero = m.constant(0.0);
    let slope = m.select(
        m.equal(less, greater),
        m.select(m.equal(less, zero), zero, m.constant(1.0)),
        m.div(less, greater),
    );
    let angle = atan_to_one(m, slope);
    let angle = m.select(steep, from_right_angle(m, angle), angle);
    let angle = m.select(has_sign(m, x), from_straight_angle(m, angle), angle);
    // no number in, no number out: `less / greater` has only one of them
    m.select(m.either(is_nan(m, x), is_nan(m, y)), m.constant(f32::NAN), with_sign(m, angle, y))
}

/// The angle whose sine is `x`, to about 2 ulp; NaN beyond -1 and 1.
#[inline(always)]
pub fn asin<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let a = m.abs(x);
    let small = m.less_equal(a, m.constant(0.5));
    // π/2 less twice the angle whose sine is the root
    let z = m.fma(m.constant(-0.5), a, m.constant(0.5));
    let angle = asin_to_half(m, m.select(small, a, m.sqrt(z)), m.select(small, m.mul(a, a), z));
    let rest = m.add(m.fma(m.constant(-2.0), angle, m.constant(FRAC_PI_2)), m.constant(FRAC_PI_2_REST));
    with_sign(m, m.select(small, angle, rest), x)
}

/// The angle whose cosine is `x`, to about 2 ulp; NaN beyond -1 and 1.
#[inline(always)]
pub fn acos<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let a = m.abs(x);
    let small = m.less_equal(a, m.constant(0.5));
    let z = m.fma(m.constant(-0.5), a, m.constant(0.5));
    let angle = asin_to_half(m, m.select(small, x, m.sqrt(z)), m.select(small, m.mul(x, x), z));
    let twice = m.mul(m.constant(2.0), angle);
    let large = m.select(m.less(x, m.constant(0.0)), from_straight_angle(m, twice), twice);
    m.select(small, from_right_angle(m, angle), large)
}

/// The square root of `x * x + y * y`, to about 1 ulp, without overflow or underflow on the way.
#[inline(always)]
pub fn hypot<M: Machine>(m: &M, x: M::Float, y: M::Float) -> M::Float {
    let (a, b) = (m.abs(x), m.abs(y));
    let greater = m.select(m.less(b, a), a, b);
    // powers of two, so that nothing is rounded
    let large = m.less(m.constant(1.0e18), greater);
    let small = m.less(greater, m.constant(1.0e-10));
    let factor = |large_bits: u32, small_bits: u32| {
        let other = m.select(small, m.constant(f32::from_bits(small_bits)), m.constant(1.0));
        m.select(large, m.constant(f32::from_bits(large_bits)), other)
    };
    let (down, up) = (factor(0x1f80_0000, 0x6f80_0000), factor(0x5f80_0000, 0x0f80_0000));
    let (p, q) = (m.mul(a, down), m.mul(b, down));
    let length = m.mul(m.sqrt(m.fma(p, p, m.mul(q, q))), up);
    let infinity = m.constant(f32::INFINITY);
    m.select(m.either(m.equal(a, infinity), m.equal(b, infinity)), infinity, length)
}

/// π/2 less `angle`.
#[inline(always)]
fn from_right_angle<M: Machine>(m: &M, angle: M::Float) -> M::Float {
    m.add(m.sub(m.constant(FRAC_PI_2), angle), m.constant(FRAC_PI_2_REST))
}

/// π less `angle`.
#[inline(always)]
fn from_straight_angle<M: Machine>(m: &M, angle: M::Float) -> M::Float {
    m.add(m.sub(m.constant(PI), angle), m.constant(PI_REST))
}

/// The angle whose tangent is `t`, from 0 to 1.
#[inline(always)]
fn atan_to_one<M: Machine>(m: &M, t: M::Float) -> M::Float {
    let z = m.mul(t, t);
    let p = polynomial(
        m,
        z,
        [
            -0.001_790_405_8,
            0.010_899_696_5,
            -0.031_148_937,
            0.057_927_23,
            -0.084_015_82,
            0.109_515_06,
            -0.142_641_02,
            0.199_985_34,
            -0.333_333,
        ],
    );
    m.fma(m.mul(p, z), t, t)
}

/// The angle whose sine is `s`, from -1/2 to 1/2, with the square of `s`.
#[inline(always)]
fn asin_to_half<M: Machine>(m: &M, s: M::Float, square: M::Float) -> M::Float {
    let p = polynomial(m, square, [0.042_165_12, 0.024_181_498, 0.045_469_64, 0.074_953_07, 0.166_667_52]);
    m.fma(m.mul(p, square), s, s)
}
