//! Exponentials and logarithms of single precision.

use super::instruction::{fmaf, rintf};
pub(super) use core::f32::consts::{LN_2, LOG2_E};
use core::f32::consts::{LOG10_2, LOG10_E};

/// The exact constants minus their rounded values in single precision.
pub(super) const LN_2_REST: f32 = -1.904_654_2e-9;
const LOG2_E_REST: f32 = 1.925_963e-8;
const LOG10_E_REST: f32 = -1.010_305e-8;
const LOG10_2_REST: f32 = -1.432_098_9e-8;

/// e to the power of `x`, to about 1 ulp.
#[inline]
pub fn expf(x: f32) -> f32 {
    // where the result is 0 or infinite; it keeps the integer in the range of `scale`, and a NaN
    let x = x.clamp(-104.0, 104.0);
    let n = rintf(x * LOG2_E);
    scale(exp_near_zero(fmaf(-n, LN_2_REST, fmaf(-n, LN_2, x))), n)
}

/// 2 to the power of `x`, to about 1 ulp.
#[inline]
pub fn exp2f(x: f32) -> f32 {
    let x = x.clamp(-151.0, 151.0);
    let n = rintf(x);
    scale(exp_near_zero((x - n) * LN_2), n)
}

/// e to the power of `r`, for -0.35 to 0.35.
#[inline(always)]
pub(super) fn exp_near_zero(r: f32) -> f32 {
    let p = fmaf(r, 0.001_382_073_7, 0.008_368_675);
    let p = fmaf(p, r, 0.041_668_266);
    let p = fmaf(p, r, 0.166_665_21);
    let p = fmaf(p, r, 0.499_999_94);
    let p = fmaf(p, r, 1.0);
    fmaf(p, r, 1.0)
}

/// `x * 2^n` for an integer from -152 to 152, rounded once.
#[inline(always)]
pub(super) fn scale(x: f32, n: f32) -> f32 {
    let n = n as i32;
    let half = n >> 1;
    let power = |n: i32| f32::from_bits(((n + 127) as u32) << 23);
    x * power(half) * power(n - half)
}

/// The natural logarithm, to about 1 ulp.
#[inline]
pub fn logf(x: f32) -> f32 {
    let (e, f) = split(x);
    let sum = fmaf(e, LN_2, fmaf(e, LN_2_REST, log_near_one(f)));
    special_log(x, sum)
}

/// The logarithm to base 2, to about 2 ulp.
#[inline]
pub fn log2f(x: f32) -> f32 {
    let (e, f) = split(x);
    let log = log_near_one(f);
    special_log(x, e + fmaf(log, LOG2_E, log * LOG2_E_REST))
}

/// The logarithm to base 10, to about 2 ulp.
#[inline]
pub fn log10f(x: f32) -> f32 {
    let (e, f) = split(x);
    let log = log_near_one(f);
    special_log(x, fmaf(e, LOG10_2, fmaf(log, LOG10_E, fmaf(e, LOG10_2_REST, log * LOG10_E_REST))))
}

/// `x = 2^e * (1 + f)` with f from -1/3 to 1/3.
#[inline(always)]
pub(super) fn split(x: f32) -> (f32, f32) {
    let subnormal = x < f32::MIN_POSITIVE;
    let bits = (if subnormal { x * 8_388_608.0 } else { x }).to_bits();
    // from where the mantissa is 4/3 on, the exponent is one more
    let e = (bits.wrapping_sub(0x3f2a_aaab) & 0xff80_0000) as i32;
    let f = f32::from_bits(bits.wrapping_sub(e as u32)) - 1.0;
    ((e >> 23) as f32 - if subnormal { 23.0 } else { 0.0 }, f)
}

/// The natural logarithm of `1 + f`.
#[inline(always)]
fn log_near_one(f: f32) -> f32 {
    let p = fmaf(f, 0.119_584_68, -0.128_301_26);
    let p = fmaf(p, f, 0.107_695_55);
    let p = fmaf(p, f, -0.121_994_17);
    let p = fmaf(p, f, 0.143_027_17);
    let p = fmaf(p, f, -0.166_792_96);
    let p = fmaf(p, f, 0.199_996_81);
    let p = fmaf(p, f, -0.249_998_27);
    let p = fmaf(p, f, 0.333_333_34);
    let p = fmaf(p, f, -0.5);
    fmaf(p, f * f, f)
}

/// A logarithm of 0, of negative numbers, of infinity and of NaN; `log` for everything else.
#[inline(always)]
fn special_log(x: f32, log: f32) -> f32 {
    if x > 0.0 && x < f32::INFINITY {
        log
    } else if x == 0.0 {
        f32::NEG_INFINITY
    } else if x < 0.0 {
        f32::NAN
    } else {
        x
    }
}
