//! Numbers as kernels compute with them.
use crate::device::Pod;

/// A number in a kernel. Integers wrap around.
pub trait Number: Pod + Send + Sync + Default + PartialOrd {
    /// The type of sums.
    type Total: Number;
    /// The type that adds sums: its bits are those of [`Number::Total`].
    type Bits: Number<Total = Self::Bits>;
    /// As a part of a sum.
    fn total(self) -> Self::Total;
    /// As `f64`, rounded.
    fn real(self) -> f64;
    /// From `f64`, rounded.
    fn rounded(x: f64) -> Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The difference.
    fn minus(self, other: Self) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self;
    /// The smaller one.
    fn least(self, other: Self) -> Self;
    /// The greater one.
    fn greatest(self, other: Self) -> Self;
}
macro_rules! numbers { ($($t:ident $total:ident $bits:ident: $plus:path, $minus:path, $times:path;)*) => { $(
    impl Number for $t {
        type Total = $total;
        type Bits = $bits;
        #[inline(always)]
        fn total(self) -> $total {
            self as $total
        }
        #[inline(always)]
        fn real(self) -> f64 {
            self as f64
        }
        #[inline(always)]
        fn rounded(x: f64) -> Self {
            x as Self
        }
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            $plus(self, other)
        }
        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            $minus(self, other)
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            $times(self, other)
        }
        #[inline(always)]
        fn least(self, other: Self) -> Self {
            self.min(other)
        }
        #[inline(always)]
        fn greatest(self, other: Self) -> Self {
            self.max(other)
        }
    }
)* } }
use core::ops::{Add, Mul, Sub};
numbers! {
    f32 f64 f64: Add::add, Sub::sub, Mul::mul;
    f64 f64 f64: Add::add, Sub::sub, Mul::mul;
    u32 u64 u64: u32::wrapping_add, u32::wrapping_sub, u32::wrapping_mul;
    i32 i64 u64: i32::wrapping_add, i32::wrapping_sub, i32::wrapping_mul;
    u64 u64 u64: u64::wrapping_add, u64::wrapping_sub, u64::wrapping_mul;
    i64 i64 u64: i64::wrapping_add, i64::wrapping_sub, i64::wrapping_mul;
}
