//! The operations that all functions consist of, and the machine that computes them with numbers.

/// A machine with operations of single precision, each correctly rounded by itself. It computes them
/// ([`Numbers`]) or writes them down as code.
///
/// A function written over this trait has the same operations in the same order on each machine, and so the
/// same bits. All NaNs count as one value.
pub trait Machine {
    /// A number of single precision.
    type Float: Copy;
    /// An integer of 32 bits. Overflow wraps around.
    type Int: Copy;
    /// A truth value.
    type Mask: Copy;

    /// A constant.
    fn constant(&self, value: f32) -> Self::Float;
    /// A constant integer.
    fn integer(&self, value: i32) -> Self::Int;

    /// `a + b`.
    fn add(&self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// `a - b`.
    fn sub(&self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// `a * b`, never fused with an addition.
    fn mul(&self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// `a / b`.
    fn div(&self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// `a * b + c`, rounded once.
    fn fma(&self, a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float;
    /// `-x`.
    fn neg(&self, x: Self::Float) -> Self::Float;
    /// The absolute value.
    fn abs(&self, x: Self::Float) -> Self::Float;
    /// The square root.
    fn sqrt(&self, x: Self::Float) -> Self::Float;
    /// The greatest integer that is not above `x`.
    fn floor(&self, x: Self::Float) -> Self::Float;
    /// The least integer that is not below `x`.
    fn ceil(&self, x: Self::Float) -> Self::Float;
    /// The integer part.
    fn trunc(&self, x: Self::Float) -> Self::Float;
    /// The nearest integer, halves to the even one.
    fn rint(&self, x: Self::Float) -> Self::Float;

    /// `a < b`, false for NaN.
    fn less(&self, a: Self::Float, b: Self::Float) -> Self::Mask;
    /// `a <= b`, false for NaN.
    fn less_equal(&self, a: Self::Float, b: Self::Float) -> Self::Mask;
    /// `a == b`, false for NaN.
    fn equal(&self, a: Self::Float, b: Self::Float) -> Self::Mask;
    /// Both.
    fn both(&self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// At least one of the two.
    fn either(&self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The other truth value.
    fn not(&self, a: Self::Mask) -> Self::Mask;
    /// `a` where the mask is true, else `b`.
    fn select(&self, mask: Self::Mask, a: Self::Float, b: Self::Float) -> Self::Float;

    /// The bits of a number.
    fn bits(&self, x: Self::Float) -> Self::Int;
    /// The number with these bits.
    fn float_of_bits(&self, bits: Self::Int) -> Self::Float;
    /// `a + b`.
    fn int_add(&self, a: Self::Int, b: Self::Int) -> Self::Int;
    /// `a - b`.
    fn int_sub(&self, a: Self::Int, b: Self::Int) -> Self::Int;
    /// The bits that both have.
    fn int_and(&self, a: Self::Int, b: Self::Int) -> Self::Int;
    /// The bits that at least one has.
    fn int_or(&self, a: Self::Int, b: Self::Int) -> Self::Int;
    /// `a` with its bits shifted up by less than 32 places.
    fn shift_left(&self, a: Self::Int, places: u32) -> Self::Int;
    /// `a` with its bits shifted down by less than 32 places, the sign repeated.
    fn shift_right(&self, a: Self::Int, places: u32) -> Self::Int;
    /// `a == b`.
    fn int_equal(&self, a: Self::Int, b: Self::Int) -> Self::Mask;
    /// `a < b`, with signs.
    fn int_less(&self, a: Self::Int, b: Self::Int) -> Self::Mask;
    /// The nearest number to an integer.
    fn to_float(&self, a: Self::Int) -> Self::Float;
    /// The integer part as an integer. Any value if it has more than 31 bits or is NaN.
    fn to_int(&self, x: Self::Float) -> Self::Int;

    /// [`far_turns`] of `x` where the mask is true, else `near`. The mask is rarely true.
    fn far_turns(
        &self,
        far: Self::Mask,
        x: Self::Float,
        near: (Self::Int, Self::Float),
    ) -> (Self::Int, Self::Float);
}

/// The machine that computes with numbers: on the CPU, and inside kernels.
///
/// With `NEAR`, [`Machine::far_turns`] is never far, so that loops over many numbers have no branch.
pub struct Numbers<const NEAR: bool = false>;

impl<const NEAR: bool> Machine for Numbers<NEAR> {
    type Float = f32;
    type Int = i32;
    type Mask = bool;

    #[inline(always)]
    fn constant(&self, value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn integer(&self, value: i32) -> i32 {
        value
    }
    #[inline(always)]
    fn add(&self, a: f32, b: f32) -> f32 {
        a + b
    }
    #[inline(always)]
    fn sub(&self, a: f32, b: f32) -> f32 {
        a - b
    }
    #[inline(always)]
    fn mul(&self, a: f32, b: f32) -> f32 {
        primitive::mul(a, b)
    }
    #[inline(always)]
    fn div(&self, a: f32, b: f32) -> f32 {
        a / b
    }
    #[inline(always)]
    fn fma(&self, a: f32, b: f32, c: f32) -> f32 {
        primitive::fma(a, b, c)
    }
    #[inline(always)]
    fn neg(&self, x: f32) -> f32 {
        -x
    }
    #[inline(always)]
    fn abs(&self, x: f32) -> f32 {
        x.abs()
    }
    #[inline(always)]
    fn sqrt(&self, x: f32) -> f32 {
        primitive::sqrt(x)
    }
    #[inline(always)]
    fn floor(&self, x: f32) -> f32 {
        primitive::floor(x)
    }
    #[inline(always)]
    fn ceil(&self, x: f32) -> f32 {
        primitive::ceil(x)
    }
    #[inline(always)]
    fn trunc(&self, x: f32) -> f32 {
        primitive::trunc(x)
    }
    #[inline(always)]
    fn rint(&self, x: f32) -> f32 {
        primitive::rint(x)
    }
    #[inline(always)]
    fn less(&self, a: f32, b: f32) -> bool {
        a < b
    }
    #[inline(always)]
    fn less_equal(&self, a: f32, b: f32) -> bool {
        a <= b
    }
    #[inline(always)]
    fn equal(&self, a: f32, b: f32) -> bool {
        a == b
    }
    #[inline(always)]
    fn both(&self, a: bool, b: bool) -> bool {
        a & b
    }
    #[inline(always)]
    fn either(&self, a: bool, b: bool) -> bool {
        a | b
    }
    #[inline(always)]
    fn not(&self, a: bool) -> bool {
        !a
    }
    #[inline(always)]
    fn select(&self, mask: bool, a: f32, b: f32) -> f32 {
        if mask { a } else { b }
    }
    #[inline(always)]
    fn bits(&self, x: f32) -> i32 {
        x.to_bits() as i32
    }
    #[inline(always)]
    fn float_of_bits(&self, bits: i32) -> f32 {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn int_add(&self, a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn int_sub(&self, a: i32, b: i32) -> i32 {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn int_and(&self, a: i32, b: i32) -> i32 {
        a & b
    }
    #[inline(always)]
    fn int_or(&self, a: i32, b: i32) -> i32 {
        a | b
    }
    #[inline(always)]
    fn shift_left(&self, a: i32, places: u32) -> i32 {
        a.wrapping_shl(places)
    }
    #[inline(always)]
    fn shift_right(&self, a: i32, places: u32) -> i32 {
        a.wrapping_shr(places)
    }
    #[inline(always)]
    fn int_equal(&self, a: i32, b: i32) -> bool {
        a == b
    }
    #[inline(always)]
    fn int_less(&self, a: i32, b: i32) -> bool {
        a < b
    }
    #[inline(always)]
    fn to_float(&self, a: i32) -> f32 {
        a as f32
    }
    #[inline(always)]
    fn to_int(&self, x: f32) -> i32 {
        x as i32
    }
    #[inline(always)]
    fn far_turns(&self, far: bool, x: f32, near: (i32, f32)) -> (i32, f32) {
        if !NEAR && far { far_turns(x) } else { near }
    }
}

/// The bits of 2/π: 32 before the point, and the bits after it.
pub(crate) const FRAC_2_PI_BITS: [u32; 7] =
    [0, 0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041];

/// π/2 divided by 2^64.
pub(crate) const TURN: f64 = core::f64::consts::FRAC_PI_2 / 18_446_744_073_709_551_616.0;

/// The quarter turns of an angle beyond 50 000, and the rest from -π/4 to π/4, by the method of Payne and
/// Hanek: of 2/π, it takes the 96 bits whose product with `x` is below four quarter turns and not negligible.
#[inline]
pub fn far_turns(x: f32) -> (i32, f32) {
    let bits = x.to_bits();
    let exponent = (bits >> 23) & 0xff;
    if exponent == 0xff {
        return (0, f32::NAN);
    }
    // |x| = mantissa * 2^(exponent - 158)
    let mantissa = u64::from((bits << 8) | 0x8000_0000);
    let first = exponent.wrapping_sub(128);
    let word = |i: u32| u64::from(FRAC_2_PI_BITS[((first >> 5).wrapping_add(i) & 7).min(6) as usize]);
    let window = |i: u32| ((word(i) << 32 | word(i + 1)) << (first & 31)) >> 32;
    let (high, middle, low) = (window(0), window(1), window(2));
    let product = (mantissa.wrapping_mul(high) << 32)
        .wrapping_add(mantissa.wrapping_mul(middle))
        .wrapping_add(mantissa.wrapping_mul(low) >> 32);
    // 2 bits of quadrant, 62 of its fraction; the nearest quadrant leaves a fraction from -1/2 to 1/2
    let quadrant = (product.wrapping_add(1 << 61) >> 62) as i32;
    let fraction = (product << 2) as i64;
    let rest = (fraction as f64 * TURN) as f32;
    if bits >> 31 == 0 { (quadrant, rest) } else { (quadrant.wrapping_neg(), -rest) }
}

/// Operations that `core` lacks, and the product, which kernels must not fuse.
#[cfg(not(target_arch = "nvptx64"))]
mod primitive {
    #[inline(always)]
    pub fn mul(a: f32, b: f32) -> f32 {
        a * b
    }
    #[inline(always)]
    pub fn fma(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    pub fn sqrt(x: f32) -> f32 {
        x.sqrt()
    }
    #[inline(always)]
    pub fn floor(x: f32) -> f32 {
        x.floor()
    }
    #[inline(always)]
    pub fn ceil(x: f32) -> f32 {
        x.ceil()
    }
    #[inline(always)]
    pub fn trunc(x: f32) -> f32 {
        x.trunc()
    }
    #[inline(always)]
    pub fn rint(x: f32) -> f32 {
        x.round_ties_even()
    }
}

/// The same on the GPU.
#[cfg(target_arch = "nvptx64")]
mod primitive {
    pub use libm::{
        ceilf as ceil, floorf as floor, fmaf as fma, rintf as rint, sqrtf as sqrt, truncf as trunc,
    };

    #[inline(always)]
    pub fn mul(a: f32, b: f32) -> f32 {
        let product;
        // SAFETY: one instruction on registers.
        unsafe {
            core::arch::asm!("mul.rn.f32 {r}, {a}, {b};", r = out(reg32) product, a = in(reg32) a,
                b = in(reg32) b, options(pure, nomem, nostack, preserves_flags));
        }
        product
    }
}
