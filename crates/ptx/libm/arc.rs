//! Inverse trigonometric functions, and the length of a vector of two, of single precision.

use super::instruction::{copysignf, fabsf, fmaf, sqrtf};
use core::f32::consts::{FRAC_PI_2, PI};

/// The exact constant minus its rounded value in single precision.
const PI_REST: f32 = -8.742_278e-8;
const FRAC_PI_2_REST: f32 = -4.371_139e-8;

/// The angle whose tangent is `x`, to about 2 ulp.
#[inline]
pub fn atanf(x: f32) -> f32 {
    let a = fabsf(x);
    let steep = a > 1.0;
    let angle = atan_to_one(if steep { 1.0 / a } else { a });
    copysignf(if steep { (FRAC_PI_2 - angle) + FRAC_PI_2_REST } else { angle }, x)
}

/// The angle of the vector `(x, y)`, from -π to π, to about 3 ulp.
#[inline]
pub fn atan2f(y: f32, x: f32) -> f32 {
    let (a, b) = (fabsf(x), fabsf(y));
    let steep = b > a;
    let (less, greater) = if steep { (a, b) } else { (b, a) };
    // (0, 0) has the angle 0 or π, and two infinite coordinates are as long as each other
    let slope = if less == greater && (less == 0.0 || less == f32::INFINITY) {
        if less == 0.0 { 0.0 } else { 1.0 }
    } else {
        less / greater
    };
    let mut angle = atan_to_one(slope);
    if steep {
        angle = (FRAC_PI_2 - angle) + FRAC_PI_2_REST;
    }
    if x.is_sign_negative() {
        angle = (PI - angle) + PI_REST;
    }
    // no number in, no number out: `less / greater` has only one of them
    if x.is_nan() || y.is_nan() { x + y } else { copysignf(angle, y) }
}

/// The angle whose sine is `x`, to about 2 ulp; no number beyond -1 and 1.
#[inline]
pub fn asinf(x: f32) -> f32 {
    let a = fabsf(x);
    let angle = if a <= 0.5 {
        asin_to_half(a, a * a)
    } else {
        // π/2 less twice the angle whose sine is the root
        let z = fmaf(-0.5, a, 0.5);
        fmaf(-2.0, asin_to_half(sqrtf(z), z), FRAC_PI_2) + FRAC_PI_2_REST
    };
    copysignf(angle, x)
}

/// The angle whose cosine is `x`, to about 2 ulp; no number beyond -1 and 1.
#[inline]
pub fn acosf(x: f32) -> f32 {
    let a = fabsf(x);
    if a <= 0.5 {
        return (FRAC_PI_2 - asin_to_half(x, x * x)) + FRAC_PI_2_REST;
    }
    let z = fmaf(-0.5, a, 0.5);
    let angle = 2.0 * asin_to_half(sqrtf(z), z);
    if x < 0.0 { (PI - angle) + PI_REST } else { angle }
}

/// The square root of `x * x + y * y`, to about 1 ulp, without overflow or underflow on the way.
#[inline]
pub fn hypotf(x: f32, y: f32) -> f32 {
    let (a, b) = (fabsf(x), fabsf(y));
    let greater = if a > b { a } else { b };
    // powers of two, so that nothing is rounded
    let (down, up) = if greater > 1.0e18 {
        (f32::from_bits(0x1f80_0000), f32::from_bits(0x5f80_0000))
    } else if greater < 1.0e-10 {
        (f32::from_bits(0x6f80_0000), f32::from_bits(0x0f80_0000))
    } else {
        (1.0, 1.0)
    };
    let (p, q) = (a * down, b * down);
    let length = sqrtf(fmaf(p, p, q * q)) * up;
    if a == f32::INFINITY || b == f32::INFINITY { f32::INFINITY } else { length }
}

/// The angle whose tangent is `t`, from 0 to 1.
#[inline(always)]
fn atan_to_one(t: f32) -> f32 {
    let z = t * t;
    let p = fmaf(z, -0.001_790_405_8, 0.010_899_696_5);
    let p = fmaf(p, z, -0.031_148_937);
    let p = fmaf(p, z, 0.057_927_23);
    let p = fmaf(p, z, -0.084_015_82);
    let p = fmaf(p, z, 0.109_515_06);
    let p = fmaf(p, z, -0.142_641_02);
    let p = fmaf(p, z, 0.199_985_34);
    let p = fmaf(p, z, -0.333_333);
    fmaf(p * z, t, t)
}

/// The angle whose sine is `s`, from -1/2 to 1/2, with the square of `s`.
#[inline(always)]
fn asin_to_half(s: f32, square: f32) -> f32 {
    let p = fmaf(square, 0.042_165_12, 0.024_181_498);
    let p = fmaf(p, square, 0.045_469_64);
    let p = fmaf(p, square, 0.074_953_07);
    let p = fmaf(p, square, 0.166_667_52);
    fmaf(p * square, s, s)
}
