//! Sine, cosine and tangent of single precision.

use super::instruction::{fabsf, fmaf, rintf};
use core::f32::consts::{FRAC_2_PI, FRAC_PI_2};

/// π/2 as a sum of three numbers.
const PI_2: [f32; 3] = [FRAC_PI_2, -4.371_139e-8, -1.715_124_5e-15];

/// The bits of 2/π: 32 before the point, and the bits after it.
const FRAC_2_PI_BITS: [u32; 7] =
    [0, 0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041];

/// The sine, to about 2 ulp for every `x`.
#[inline]
pub fn sinf(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    let s = if quadrant & 1 == 0 { sin_near_zero(r) } else { cos_near_zero(r) };
    with_zero(x, if quadrant & 2 == 0 { s } else { -s })
}

/// The cosine, to about 2 ulp for every `x`.
#[inline]
pub fn cosf(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    let c = if quadrant & 1 == 0 { cos_near_zero(r) } else { sin_near_zero(r) };
    if quadrant.wrapping_add(1) & 2 == 0 { c } else { -c }
}

/// The sine and the cosine, as [`sinf`] and [`cosf`] have them.
#[inline]
pub fn sincosf(x: f32) -> (f32, f32) {
    let (quadrant, r) = reduce(x);
    let (s, c) = (sin_near_zero(r), cos_near_zero(r));
    let (s, c) = if quadrant & 1 == 0 { (s, c) } else { (c, s) };
    let s = with_zero(x, if quadrant & 2 == 0 { s } else { -s });
    (s, if quadrant.wrapping_add(1) & 2 == 0 { c } else { -c })
}

/// The tangent, to about 3 ulp for every `x`.
#[inline]
pub fn tanf(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    let (s, c) = (sin_near_zero(r), cos_near_zero(r));
    with_zero(x, if quadrant & 1 == 0 { s / c } else { -(c / s) })
}

/// A zero that keeps its sign, and `value` for everything else.
#[inline(always)]
fn with_zero(x: f32, value: f32) -> f32 {
    if x == 0.0 { x } else { value }
}

/// `x = quadrant * π/2 + r`, with r from -π/4 to π/4; the quadrant counts modulo 4.
#[inline(always)]
fn reduce(x: f32) -> (u32, f32) {
    if fabsf(x) > 50_000.0 {
        return reduce_large(x);
    }
    let n = rintf(x * FRAC_2_PI);
    let r = fmaf(-n, PI_2[2], fmaf(-n, PI_2[1], fmaf(-n, PI_2[0], x)));
    (n as i32 as u32, r)
}

/// The same by the method of Payne and Hanek: of 2/π, it takes the 96 bits whose product with `x` is below 4
/// turns of a quarter and not negligible.
#[inline(always)]
fn reduce_large(x: f32) -> (u32, f32) {
    let bits = x.to_bits();
    let exponent = (bits >> 23) & 0xff;
    if exponent == 0xff {
        return (0, f32::NAN);
    }
    // |x| = mantissa * 2^(exponent - 158)
    let mantissa = ((bits << 8) | 0x8000_0000) as u64;
    let first = exponent - 128;
    let word = |i: u32| FRAC_2_PI_BITS[(((first >> 5) + i) & 7).min(6) as usize] as u64;
    let window = |i: u32| ((word(i) << 32 | word(i + 1)) << (first & 31)) >> 32;
    let (high, middle, low) = (window(0), window(1), window(2));
    let product = (mantissa.wrapping_mul(high) << 32)
        .wrapping_add(mantissa.wrapping_mul(middle))
        .wrapping_add(mantissa.wrapping_mul(low) >> 32);
    // 2 bits of quadrant, 62 of its fraction; the nearest quadrant leaves a fraction from -1/2 to 1/2
    let quadrant = (product.wrapping_add(1 << 61) >> 62) as u32;
    let fraction = (product << 2) as i64;
    let r = (fraction as f64 * (core::f64::consts::FRAC_PI_2 / 18_446_744_073_709_551_616.0)) as f32;
    if bits >> 31 == 0 { (quadrant, r) } else { (quadrant.wrapping_neg(), -r) }
}

/// The sine from -π/4 to π/4.
#[inline(always)]
fn sin_near_zero(r: f32) -> f32 {
    let z = r * r;
    let p = fmaf(z, -0.000_195_180_85, 0.008_332_188);
    let p = fmaf(p, z, -0.166_666_55);
    fmaf(p * z, r, r)
}

/// The cosine from -π/4 to π/4.
#[inline(always)]
fn cos_near_zero(r: f32) -> f32 {
    let z = r * r;
    let p = fmaf(z, 2.443_254_4e-5, -0.001_388_731_1);
    let p = fmaf(p, z, 0.041_666_646);
    let p = fmaf(p, z, -0.5);
    fmaf(p, z, 1.0)
}
