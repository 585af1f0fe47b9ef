//! One instruction each, or a few. All results are bit by bit the same as libm's.

mod llvm {
    unsafe extern "C" {
        #[link_name = "llvm.sqrt.f32"]
        pub fn sqrtf(x: f32) -> f32;
        #[link_name = "llvm.sqrt.f64"]
        pub fn sqrt(x: f64) -> f64;
        #[link_name = "llvm.floor.f32"]
        pub fn floorf(x: f32) -> f32;
        #[link_name = "llvm.floor.f64"]
        pub fn floor(x: f64) -> f64;
        #[link_name = "llvm.ceil.f32"]
        pub fn ceilf(x: f32) -> f32;
        #[link_name = "llvm.ceil.f64"]
        pub fn ceil(x: f64) -> f64;
        #[link_name = "llvm.trunc.f32"]
        pub fn truncf(x: f32) -> f32;
        #[link_name = "llvm.trunc.f64"]
        pub fn trunc(x: f64) -> f64;
        #[link_name = "llvm.rint.f32"]
        pub fn rintf(x: f32) -> f32;
        #[link_name = "llvm.rint.f64"]
        pub fn rint(x: f64) -> f64;
        #[link_name = "llvm.fabs.f32"]
        pub fn fabsf(x: f32) -> f32;
        #[link_name = "llvm.fabs.f64"]
        pub fn fabs(x: f64) -> f64;
        #[link_name = "llvm.copysign.f32"]
        pub fn copysignf(x: f32, sign: f32) -> f32;
        #[link_name = "llvm.copysign.f64"]
        pub fn copysign(x: f64, sign: f64) -> f64;
        #[link_name = "llvm.fma.f32"]
        pub fn fmaf(x: f32, y: f32, z: f32) -> f32;
        #[link_name = "llvm.fma.f64"]
        pub fn fma(x: f64, y: f64, z: f64) -> f64;
    }
}

macro_rules! instructions {
    ($($name:ident($($x:ident),+) -> $float:ty = $intrinsic:ident, $what:literal;)+) => {$(
        #[doc = $what]
        #[inline(always)]
        pub fn $name($($x: $float),+) -> $float {
            // SAFETY: a function of numbers, for all of which it is defined.
            unsafe { llvm::$intrinsic($($x),+) }
        }
    )+};
}

instructions! {
    sqrtf(x) -> f32 = sqrtf, "The square root, correctly rounded.";
    sqrt(x) -> f64 = sqrt, "The square root, correctly rounded.";
    floorf(x) -> f32 = floorf, "The greatest integer that is not above `x`.";
    floor(x) -> f64 = floor, "The greatest integer that is not above `x`.";
    ceilf(x) -> f32 = ceilf, "The least integer that is not below `x`.";
    ceil(x) -> f64 = ceil, "The least integer that is not below `x`.";
    truncf(x) -> f32 = truncf, "The integer part.";
    trunc(x) -> f64 = trunc, "The integer part.";
    rintf(x) -> f32 = rintf, "The nearest integer, halves to the even one.";
    rint(x) -> f64 = rint, "The nearest integer, halves to the even one.";
    roundevenf(x) -> f32 = rintf, "The nearest integer, halves to the even one.";
    roundeven(x) -> f64 = rint, "The nearest integer, halves to the even one.";
    fabsf(x) -> f32 = fabsf, "The absolute value.";
    fabs(x) -> f64 = fabs, "The absolute value.";
    copysignf(x, sign) -> f32 = copysignf, "`x` with the sign of `sign`.";
    copysign(x, sign) -> f64 = copysign, "`x` with the sign of `sign`.";
    fmaf(x, y, z) -> f32 = fmaf, "`x * y + z`, rounded once.";
    fma(x, y, z) -> f64 = fma, "`x * y + z`, rounded once.";
}

/// The nearest integer, halves away from zero.
#[inline(always)]
pub fn roundf(x: f32) -> f32 {
    // the greatest number below one half: one half itself would lift 0.49999997 to 1
    truncf(x + copysignf(f32::from_bits(0x3eff_ffff), x))
}

/// The nearest integer, halves away from zero.
#[inline(always)]
pub fn round(x: f64) -> f64 {
    trunc(x + copysign(f64::from_bits(0x3fdf_ffff_ffff_ffff), x))
}
