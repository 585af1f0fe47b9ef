//! Powers of two.
use crate::denoise::exact::product;

/// 2ˣ for x ≤ 0, to 4·10⁻⁷ relative; 0 below −126.
///
/// A Taylor series of degree 6 around the middle between two whole numbers: the same operations on every
/// machine.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    if x.is_nan() || x < -126.0 {
        return 0.0;
    }
    let whole = x as i32;
    let y = x - whole as f32 + 0.5;
    let p = 1.0 + y * (C[0] + y * (C[1] + y * (C[2] + y * (C[3] + y * (C[4] + y * C[5])))));
    f32::from_bits((p * SQRT_HALF).to_bits().wrapping_add((whole as u32) << 23))
}

/// The same with the same bits on every machine, see [`crate::denoise::exact`]; to 10⁻⁶ relative.
#[inline(always)]
pub fn exact_exp2(x: f32) -> f32 {
    if x.is_nan() || x < -126.0 {
        return 0.0;
    }
    let whole = x as i32;
    let y = x - whole as f32 + 0.5;
    let step = |c: f32, p: f32| (c as f64 + product(y, p)) as f32;
    let p = step(1.0, step(C[0], step(C[1], step(C[2], step(C[3], step(C[4], C[5]))))));
    f32::from_bits((p * SQRT_HALF).to_bits().wrapping_add((whole as u32) << 23))
}

const SQRT_HALF: f32 = core::f32::consts::FRAC_1_SQRT_2;
const C: [f32; 6] =
    [core::f32::consts::LN_2, 0.240_226_5, 0.055_504_11, 0.009_618_129, 0.001_333_355_8, 0.000_154_035_3];

#[cfg(test)]
mod tests {
    use super::{exact_exp2, exp2};

    #[test]
    fn powers() {
        for i in 0..=125_000 {
            let x = i as f32 * -1e-3;
            let expected = f64::from(x).exp2();
            assert!((f64::from(exp2(x)) / expected - 1.0).abs() < 4e-7, "{x}");
            assert!((f64::from(exact_exp2(x)) / expected - 1.0).abs() < 1e-6, "{x}");
        }
        for f in [exp2, exact_exp2] {
            assert_eq!([-126.5, f32::NEG_INFINITY, f32::NAN].map(f), [0.0; 3]);
        }
    }
}
