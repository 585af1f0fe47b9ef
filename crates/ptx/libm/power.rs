//! Powers of single precision.

use super::exponential::{LN_2, LN_2_REST, LOG2_E, exp_near_zero, scale, split};
use super::instruction::{fabsf, fmaf, rintf, truncf};

/// `x` to the power of `y`, to about 1 ulp. A negative `x` has powers of integers only; the limits are as in
/// C.
#[inline]
pub fn powf(x: f32, y: f32) -> f32 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    let a = fabsf(x);
    let magnitude = if a == 1.0 {
        1.0
    } else if a == 0.0 || a == f32::INFINITY {
        if (a == 0.0) == (y < 0.0) { f32::INFINITY } else { 0.0 }
    } else {
        power(a, y)
    };
    let integer = truncf(y) == y;
    let half = 0.5 * y;
    // from 2^24 on, all are even
    let odd = integer && fabsf(y) < 16_777_216.0 && truncf(half) != half;
    if x.is_nan() || y.is_nan() {
        x + y
    } else if x < 0.0 && !integer && a != f32::INFINITY {
        f32::NAN
    } else if x.is_sign_negative() && odd {
        -magnitude
    } else {
        magnitude
    }
}

/// `a` to the power of `y`, for `a` above 0 and not infinite.
#[inline(always)]
fn power(a: f32, y: f32) -> f32 {
    let (log, log_rest) = log(a);
    let product = y * log;
    if fabsf(product) > 104.0 {
        return if product > 0.0 { f32::INFINITY } else { 0.0 };
    }
    let product_rest = fmaf(y, log_rest, fmaf(y, log, -product));
    let n = rintf(product * LOG2_E);
    let r = fmaf(-n, LN_2_REST, fmaf(-n, LN_2, product)) + product_rest;
    scale(exp_near_zero(r), n)
}

/// The natural logarithm as a sum of two numbers: some 40 bits of it.
#[inline(always)]
fn log(a: f32) -> (f32, f32) {
    /// The higher bits of the logarithm of 2, so few that products with exponents are exact.
    const LN_2_SHORT: f32 = 0.693_145_75;
    const LN_2_SHORT_REST: f32 = 1.428_606_8e-6;
    const TWO_THIRDS: f32 = 0.666_666_7;
    const TWO_THIRDS_REST: f32 = -1.986_821_6e-8;

    // 1 + f has the logarithm 2 (r + r³/3 + r⁵/5 + …) with r = f / (2 + f); `_rest` is the rounding error of
    // each value
    let (e, f) = split(a);
    let sum = 2.0 + f;
    let sum_rest = f - (sum - 2.0);
    let r = f / sum;
    let r_rest = fmaf(-r, sum_rest, fmaf(-r, sum, f)) / sum;
    let z = r * r;
    let z_rest = fmaf(2.0 * r, r_rest, fmaf(r, r, -z));
    let w = z * r;
    let w_rest = fmaf(z, r_rest, fmaf(z_rest, r, fmaf(z, r, -w)));
    let p = fmaf(z, 0.153_846_16, 0.181_818_19);
    let p = fmaf(p, z, 0.222_222_22);
    let p = fmaf(p, z, 0.285_714_3);
    let tail = fmaf(p, z, 0.4) * z;
    let c = TWO_THIRDS + tail;
    let c_rest = tail - (c - TWO_THIRDS) + TWO_THIRDS_REST;
    let u = c * w;
    let u_rest = fmaf(c, w_rest, fmaf(c_rest, w, fmaf(c, w, -u)));
    let near = fmaf(2.0, r, u);
    let near_rest = u - fmaf(-2.0, r, near) + fmaf(2.0, r_rest, u_rest);
    let far = e * LN_2_SHORT;
    let log = far + near;
    (log, near - (log - far) + fmaf(e, LN_2_SHORT_REST, near_rest))
}
