//! Powers and the cube root.

use super::exponential::{exp_near_zero, remainder, scale, split};
use super::{has_sign, is_nan, polynomial, with_sign};
use crate::machine::Machine;
use core::f32::consts::LOG2_E;

/// `x` to the power of `y`, to about 1 ulp. A negative `x` has powers of integers only; the limits are as in
/// C.
#[inline(always)]
pub fn pow<M: Machine>(m: &M, x: M::Float, y: M::Float) -> M::Float {
    let (zero, one, infinity) = (m.constant(0.0), m.constant(1.0), m.constant(f32::INFINITY));
    let a = m.abs(x);
    let (none, endless) = (m.equal(a, zero), m.equal(a, infinity));
    let falls = m.less(y, zero);
    let grows = m.either(m.both(none, falls), m.both(endless, m.not(falls)));
    let limit = m.select(grows, infinity, zero);
    let magnitude = m.select(m.either(none, endless), limit, power(m, a, y));
    let magnitude = m.select(m.equal(a, one), one, magnitude);
    let whole = m.equal(m.trunc(y), y);
    let half = m.mul(m.constant(0.5), y);
    // from 2^24 on, all are even
    let odd = m
        .both(m.both(whole, m.less(m.abs(y), m.constant(16_777_216.0))), m.not(m.equal(m.trunc(half), half)));
    let result = m.select(m.both(has_sign(m, x), odd), m.neg(magnitude), magnitude);
    let root_of_negative = m.both(m.both(m.less(x, zero), m.not(whole)), m.not(endless));
    let undefined = m.either(root_of_negative, m.either(is_nan(m, x), is_nan(m, y)));
    let result = m.select(undefined, m.constant(f32::NAN), result);
    m.select(m.either(m.equal(y, zero), m.equal(x, one)), one, result)
}

/// `a` to the power of `y`, for `a` above 0 and not infinite.
#[inline(always)]
fn power<M: Machine>(m: &M, a: M::Float, y: M::Float) -> M::Float {
    let (log, log_rest) = log(m, a);
    let product = m.mul(y, log);
    let product_rest = m.fma(y, log_rest, m.fma(y, log, m.neg(product)));
    let n = m.rint(m.mul(product, m.constant(LOG2_E)));
    let r = m.add(remainder(m, product, n), product_rest);
    let zero = m.constant(0.0);
    let beyond = m.select(m.less(zero, product), m.constant(f32::INFINITY), zero);
    m.select(m.less(m.constant(104.0), m.abs(product)), beyond, scale(m, exp_near_zero(m, r), n))
}

/// The natural logarithm as a sum of two numbers: some 40 bits of it.
#[inline(always)]
fn log<M: Machine>(m: &M, a: M::Float) -> (M::Float, M::Float) {
    /// The higher bits of the logarithm of 2, so few that products with exponents are exact.
    const LN_2_SHORT: f32 = 0.693_145_75;
    const LN_2_SHORT_REST: f32 = 1.428_606_8e-6;
    const TWO_THIRDS: f32 = 0.666_666_7;
    const TWO_THIRDS_REST: f32 = -1.986_821_6e-8;

    // 1 + f has the logarithm 2 (r + r³/3 + r⁵/5 + …) with r = f / (2 + f); `_rest` is the rounding error of
    // each value
    let two = m.constant(2.0);
    let (e, f) = split(m, a);
    let sum = m.add(two, f);
    let sum_rest = m.sub(f, m.sub(sum, two));
    let r = m.div(f, sum);
    let minus_r = m.neg(r);
    let r_rest = m.div(m.fma(minus_r, sum_rest, m.fma(minus_r, sum, f)), sum);
    let z = m.mul(r, r);
    let z_rest = m.fma(m.mul(two, r), r_rest, m.fma(r, r, m.neg(z)));
    let w = m.mul(z, r);
    let w_rest = m.fma(z, r_rest, m.fma(z_rest, r, m.fma(z, r, m.neg(w))));
    let p = polynomial(m, z, [0.153_846_16, 0.181_818_19, 0.222_222_22, 0.285_714_3, 0.4]);
    let tail = m.mul(p, z);
    let c = m.add(m.constant(TWO_THIRDS), tail);
    let c_rest = m.add(m.sub(tail, m.sub(c, m.constant(TWO_THIRDS))), m.constant(TWO_THIRDS_REST));
    let u = m.mul(c, w);
    let u_rest = m.fma(c, w_rest, m.fma(c_rest, w, m.fma(c, w, m.neg(u))));
    let near = m.fma(two, r, u);
    let near_rest = m.add(m.sub(u, m.fma(m.constant(-2.0), r, near)), m.fma(two, r_rest, u_rest));
    let far = m.mul(e, m.constant(LN_2_SHORT));
    let log = m.add(far, near);
    let far_rest = m.fma(e, m.constant(LN_2_SHORT_REST), near_rest);
    (log, m.add(m.sub(near, m.sub(log, far)), far_rest))
}

/// The cube root, to about 1 ulp.
#[inline(always)]
pub fn cbrt<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let a = m.abs(x);
    // powers of 2^3, so that nothing is rounded
    let small = m.less(a, m.constant(1.0e-30));
    let large = m.less(m.constant(1.0e30), a);
    let step = |small_factor: f32, large_factor: f32| {
        let factor = m.select(large, m.constant(large_factor), m.constant(1.0));
        m.select(small, m.constant(small_factor), factor)
    };
    let scaled = m.mul(a, step(16_777_216.0, 1.0 / 16_777_216.0));
    // a third of the exponent and of the mantissa is within 4 percent
    let third = m.to_int(m.mul(m.to_float(m.bits(scaled)), m.constant(1.0 / 3.0)));
    let mut root = m.float_of_bits(m.int_add(third, m.integer(709_958_130)));
    // Halley's iteration, each of which triples the digits
    let twice = m.add(scaled, scaled);
    for _ in 0..2 {
        let cube = m.mul(m.mul(root, root), root);
        root = m.mul(root, m.div(m.add(cube, twice), m.add(m.add(cube, cube), scaled)));
    }
    // Newton's step with the exact remainder
    let square = m.mul(root, root);
    let square_rest = m.fma(root, root, m.neg(square));
    let cube = m.mul(square, root);
    let cube_rest = m.fma(square_rest, root, m.fma(square, root, m.neg(cube)));
    let remainder = m.sub(m.sub(scaled, cube), cube_rest);
    let root = m.add(root, m.div(remainder, m.mul(m.constant(3.0), square)));
    let root = with_sign(m, m.mul(root, step(1.0 / 256.0, 256.0)), x);
    // 0, infinity and NaN
    let usual = m.both(m.less(m.constant(0.0), a), m.less(a, m.constant(f32::INFINITY)));
    m.select(usual, root, x)
}
