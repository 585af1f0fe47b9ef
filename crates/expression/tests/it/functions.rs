//! Accuracy of the functions, and the bits of those that kernels call.

use ribbonmesh_expression::Operation::{self, *};
use ribbonmesh_expression::machine::Numbers;

// The functions that kernels get instead of libm's, with instructions of the CPU.
#[path = "../../../ptx/libm/arc.rs"]
mod arc;
#[expect(dead_code, reason = "the language has no exp2")]
#[path = "../../../ptx/libm/exponential.rs"]
mod exponential;
#[path = "../../../ptx/libm/power.rs"]
mod power;
#[expect(dead_code, reason = "the language has no function with two results")]
#[path = "../../../ptx/libm/trigonometric.rs"]
mod trigonometric;

mod instruction {
    pub fn fmaf(x: f32, y: f32, z: f32) -> f32 {
        x.mul_add(y, z)
    }
    pub fn rintf(x: f32) -> f32 {
        x.round_ties_even()
    }
    pub fn truncf(x: f32) -> f32 {
        x.trunc()
    }
    pub fn fabsf(x: f32) -> f32 {
        x.abs()
    }
    pub fn sqrtf(x: f32) -> f32 {
        x.sqrt()
    }
    pub fn copysignf(x: f32, sign: f32) -> f32 {
        x.copysign(sign)
    }
}

fn apply(operation: Operation, a: f32, b: f32) -> f32 {
    operation.apply(&Numbers::<false>, [a, b, 0.0])
}

/// Numbers of all magnitudes, and special ones.
fn numbers(step: usize) -> impl Iterator<Item = f32> {
    let special =
        [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, -1e-45, f32::MAX, f32::MIN];
    (0..=u32::MAX).step_by(step).map(f32::from_bits).chain(special)
}

/// How far a number is from the exact one, in units of the last place; infinite if only one is a NaN or if
/// only one has the other sign.
fn ulps(found: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if found.to_bits() == nearest.to_bits() || found.is_nan() && exact.is_nan() {
        return 0.0;
    }
    if found.is_nan() || exact.is_nan() || found.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    let exponent = (exact.abs().log2().floor() as i32).clamp(-126, 127);
    let greatest = 2f64.powi(128);
    (f64::from(found).abs().min(greatest) - exact.abs().min(greatest)).abs() / 2f64.powi(exponent - 23)
}

#[test]
fn accuracy_of_one_argument() {
    type Case = (Operation, fn(f64) -> f64, f64);
    let cases: [Case; 20] = [
        (Exp, f64::exp, 1.0),
        (Log, f64::ln, 1.0),
        (Log2, f64::log2, 2.0),
        (Log10, f64::log10, 2.0),
        (Sin, f64::sin, 2.0),
        (Cos, f64::cos, 2.0),
        (Tan, f64::tan, 3.5),
        (Asin, f64::asin, 2.0),
        (Acos, f64::acos, 2.0),
        (Atan, f64::atan, 2.0),
        (Sinh, f64::sinh, 3.0),
        (Cosh, f64::cosh, 3.0),
        (Tanh, f64::tanh, 3.0),
        (Cbrt, f64::cbrt, 1.0),
        (Sqrt, f64::sqrt, 0.5),
        (Round, f64::round, 0.0),
        (Floor, f64::floor, 0.0),
        (Ceil, f64::ceil, 0.0),
        (Abs, f64::abs, 0.0),
        (Negate, |x| -x, 0.0),
    ];
    for (operation, exact, allowed) in cases {
        let (worst, at) = numbers(10_007)
            .map(|x| (ulps(apply(operation, x, 0.0), exact(f64::from(x))), x))
            .fold((0.0, 0.0), |worst, other| if other.0 > worst.0 { other } else { worst });
        assert!(worst <= allowed, "{operation:?}({at:e}) = {:e}, {worst} ulp off", apply(operation, at, 0.0));
    }
}

#[test]
fn accuracy_of_two_arguments() {
    for (operation, exact, allowed) in
        [(Pow, f64::powf as fn(f64, f64) -> f64, 2.0), (Atan2, f64::atan2, 3.0), (Hypot, f64::hypot, 1.5)]
    {
        for (i, x) in numbers(5_000_011).enumerate() {
            for y in numbers(7_000_003).skip(i % 7).step_by(3).chain([2.0, -1.0, 3.0, 0.5, -0.5, 1e5]) {
                let (found, exact) = (apply(operation, x, y), exact(f64::from(x), f64::from(y)));
                // a NaN among the arguments is a NaN of the result, except for powers of 1 and to 0
                if operation == Hypot && (x.is_nan() || y.is_nan()) {
                    continue;
                }
                let error = ulps(found, exact);
                assert!(error <= allowed, "{operation:?}({x:e}, {y:e}) = {found:e}, {error} ulp off");
            }
        }
    }
}

/// The same bits as the functions of kernels (decision 18).
#[test]
fn functions_of_kernels() {
    let same = |operation: Operation, x: f32, y: f32, expected: f32| {
        let found = apply(operation, x, y);
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{operation:?}({x:e}, {y:e}) = {found:e}, and {expected:e} in kernels");
    };
    type Case = (Operation, fn(f32) -> f32);
    let one: [Case; 10] = [
        (Exp, exponential::expf),
        (Log, exponential::logf),
        (Log2, exponential::log2f),
        (Log10, exponential::log10f),
        (Sin, trigonometric::sinf),
        (Cos, trigonometric::cosf),
        (Tan, trigonometric::tanf),
        (Asin, arc::asinf),
        (Acos, arc::acosf),
        (Atan, arc::atanf),
    ];
    for (operation, of_kernels) in one {
        numbers(10_007).for_each(|x| same(operation, x, 0.0, of_kernels(x)));
    }
    for x in numbers(5_000_011) {
        for y in numbers(7_000_003).chain([2.0, -1.0, 3.0, 0.5]) {
            same(Pow, x, y, power::powf(x, y));
            same(Atan2, x, y, arc::atan2f(x, y));
            same(Hypot, x, y, arc::hypotf(x, y));
        }
    }
}
