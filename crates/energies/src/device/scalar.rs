//! Scalars that energies are functions of: plain numbers, and numbers with derivatives.
use core::ops::{Add, Div, Mul, Neg, Sub};
use ribbonmesh_linear::Real;

/// Numbers that scalars consist of: `f32` and `f64`.
pub trait Number: Real + Div<Output = Self> + Neg<Output = Self> {
    /// The square root.
    fn root(self) -> Self;
    /// The natural logarithm.
    fn log(self) -> Self;
    /// The absolute value.
    fn absolute(self) -> Self;
}
macro_rules! number { ($($t:ident $root:ident $log:ident $absolute:ident)*) => { $(
    impl Number for $t {
        #[inline(always)]
        fn root(self) -> Self {
            libm::$root(self)
        }
        #[inline(always)]
        fn log(self) -> Self {
            libm::$log(self)
        }
        #[inline(always)]
        fn absolute(self) -> Self {
            libm::$absolute(self)
        }
    }
)* } }
number!(f32 sqrtf logf fabsf f64 sqrt log fabs);

/// A scalar: a number, or a number with derivatives by some variables.
///
/// An energy is written once for any of them. Constants are plain numbers, [`Scalar::plus`] and
/// [`Scalar::times`] take them.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Its numbers.
    type Real: Number;
    /// The value.
    fn value(self) -> Self::Real;
    /// The sum with a constant.
    fn plus(self, constant: Self::Real) -> Self;
    /// The product with a constant.
    fn times(self, constant: Self::Real) -> Self;
    /// A function of this scalar, from its value and its first and second derivative here.
    fn of(self, value: Self::Real, first: Self::Real, second: Self::Real) -> Self;
    /// The square.
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    /// The square root of a positive scalar.
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value().root();
        let first = Self::Real::from_f64(0.5) / root;
        self.of(root, first, -(Self::Real::from_f64(0.5) * first / self.value()))
    }
    /// The natural logarithm of a positive scalar.
    #[inline(always)]
    fn ln(self) -> Self {
        let by = Self::Real::ONE / self.value();
        self.of(self.value().log(), by, -(by * by))
    }
    /// 1 divided by the scalar.
    #[inline(always)]
    fn inverse(self) -> Self {
        let by = Self::Real::ONE / self.value();
        let square = by * by;
        self.of(by, -square, (square + square) * by)
    }
}
impl<R: Number> Scalar for R {
    type Real = R;
    #[inline(always)]
    fn value(self) -> R {
        self
    }
    #[inline(always)]
    fn plus(self, constant: R) -> R {
        self + constant
    }
    #[inline(always)]
    fn times(self, constant: R) -> R {
        self * constant
    }
    #[inline(always)]
    fn of(self, value: R, _: R, _: R) -> R {
        value
    }
}

/// The scalar product of two vectors.
#[inline(always)]
pub fn dot<S: Scalar, const D: usize>(a: [S; D], b: [S; D]) -> S {
    let mut sum = a[0] * b[0];
    crate::device::unroll::unroll!(k < D => {
        if k > 0 {
            sum = sum + a[k] * b[k];
        }
    });
    sum
}
/// The cross product.
#[inline(always)]
pub fn cross<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
