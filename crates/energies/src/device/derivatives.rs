//! Scalars with derivatives, which are computed forward: each operation computes those of its result.
use super::scalar::{Number, Scalar};
use super::unroll::{packed, unroll};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number with its gradient by `N` variables, at most 9.
#[derive(Clone, Copy, Debug)]
pub struct First<R, const N: usize> {
    /// The value.
    pub value: R,
    /// First derivatives.
    pub gradient: [R; N],
}

/// A number with its gradient by `N` variables, at most 9, and the lower half of its Hessian, row by row: `H`
/// = N (N + 1) / 2 numbers.
#[derive(Clone, Copy, Debug)]
pub struct Second<R, const N: usize, const H: usize> {
    /// The value.
    pub value: R,
    /// First derivatives.
    pub gradient: [R; N],
    /// Second derivatives: entry (i, j) with j ≤ i is at i (i + 1) / 2 + j.
    pub hessian: [R; H],
}

/// A scalar that can be one of its own variables.
pub trait Variable: Scalar {
    /// The variable `k` with a value; `k` is below the number of variables.
    fn variable(value: Self::Real, k: usize) -> Self;
}
impl<R: Number> Variable for R {
    #[inline(always)]
    fn variable(value: R, _: usize) -> R {
        value
    }
}
impl<R: Number, const N: usize> Variable for First<R, N> {
    #[inline(always)]
    fn variable(value: R, k: usize) -> Self {
        let mut gradient = [R::ZERO; N];
        gradient[k] = R::ONE;
        Self { value, gradient }
    }
}
impl<R: Number, const N: usize, const H: usize> Variable for Second<R, N, H> {
    #[inline(always)]
    fn variable(value: R, k: usize) -> Self {
        let mut gradient = [R::ZERO; N];
        gradient[k] = R::ONE;
        Self { value, gradient, hessian: [R::ZERO; H] }
    }
}

impl<R: Number, const N: usize> First<R, N> {
    /// The value and `a` times the own gradient plus `b` times the other's.
    #[inline(always)]
    fn combined(self, value: R, a: R, other: Self, b: R) -> Self {
        let mut gradient = self.gradient;
        unroll!(i < N => { gradient[i] = a * self.gradient[i] + b * other.gradient[i]; });
        Self { value, gradient }
    }
    /// The value and `a` times the own gradient.
    #[inline(always)]
    fn scaled(self, value: R, a: R) -> Self {
        let mut gradient = self.gradient;
        unroll!(i < N => { gradient[i] = a * self.gradient[i]; });
        Self { value, gradient }
    }
}
impl<R: Number, const N: usize, const H: usize> Second<R, N, H> {
    const FITS: () = assert!(H == N * (N + 1) / 2, "a packed Hessian has N (N + 1) / 2 numbers");

    /// A value with derivatives that functions of places give: of a variable, and of a pair of them with its
    /// place in the packed Hessian.
    #[inline(always)]
    fn made(value: R, first: impl Fn(usize) -> R, second: impl Fn(usize, usize, usize) -> R) -> Self {
        let () = Self::FITS;
        let (mut gradient, mut hessian) = ([R::ZERO; N], [R::ZERO; H]);
        unroll!(i < N => {
            gradient[i] = first(i);
            unroll!(j < N => {
                if j <= i {
                    hessian[packed(i, j)] = second(packed(i, j), i, j);
                }
            });
        });
        Self { value, gradient, hessian }
    }
}

impl<R: Number, const N: usize> Add for First<R, N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut gradient = self.gradient;
        unroll!(i < N => { gradient[i] = self.gradient[i] + other.gradient[i]; });
        Self { value: self.value + other.value, gradient }
    }
}
impl<R: Number, const N: usize> Sub for First<R, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let mut gradient = self.gradient;
        unroll!(i < N => { gradient[i] = self.gradient[i] - other.gradient[i]; });
        Self { value: self.value - other.value, gradient }
    }
}
impl<R: Number, const N: usize> Mul for First<R, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.combined(self.value * other.value, other.value, other, self.value)
    }
}
impl<R: Number, const N: usize> Neg for First<R, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.scaled(-self.value, -R::ONE)
    }
}
impl<R: Number, const N: usize> Scalar for First<R, N> {
    type Real = R;
    #[inline(always)]
    fn value(self) -> R {
        self.value
    }
    #[inline(always)]
    fn plus(self, constant: R) -> Self {
        Self { value: self.value + constant, ..self }
    }
    #[inline(always)]
    fn times(self, constant: R) -> Self {
        self.scaled(constant * self.value, constant)
    }
    #[inline(always)]
    fn of(self, value: R, first: R, _: R) -> Self {
        self.scaled(value, first)
    }
}

impl<R: Number, const N: usize, const H: usize> Add for Second<R, N, H> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::made(
            self.value + other.value,
            |i| self.gradient[i] + other.gradient[i],
            |k, _, _| self.hessian[k] + other.hessian[k],
        )
    }
}
impl<R: Number, const N: usize, const H: usize> Sub for Second<R, N, H> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::made(
            self.value - other.value,
            |i| self.gradient[i] - other.gradient[i],
            |k, _, _| self.hessian[k] - other.hessian[k],
        )
    }
}
impl<R: Number, const N: usize, const H: usize> Mul for Second<R, N, H> {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::suspicious_arithmetic_impl)] // the rule of products has sums
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.value, other.value);
        let (g, h) = (self.gradient, other.gradient);
        Self::made(
            a * b,
            |i| a * h[i] + b * g[i],
            |k, i, j| a * other.hessian[k] + b * self.hessian[k] + (g[i] * h[j] + g[j] * h[i]),
        )
    }
}
impl<R: Number, const N: usize, const H: usize> Neg for Second<R, N, H> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::made(-self.value, |i| -self.gradient[i], |k, _, _| -self.hessian[k])
    }
}
impl<R: Number, const N: usize, const H: usize> Scalar for Second<R, N, H> {
    type Real = R;
    #[inline(always)]
    fn value(self) -> R {
        self.value
    }
    #[inline(always)]
    fn plus(self, constant: R) -> Self {
        Self { value: self.value + constant, ..self }
    }
    #[inline(always)]
    fn times(self, by: R) -> Self {
        Self::made(by * self.value, |i| by * self.gradient[i], |k, _, _| by * self.hessian[k])
    }
    #[inline(always)]
    fn square(self) -> Self {
        let (a, g) = (self.value + self.value, self.gradient);
        Self::made(
            self.value * self.value,
            |i| a * g[i],
            |k, i, j| {
                let product = g[i] * g[j];
                a * self.hessian[k] + (product + product)
            },
        )
    }
    #[inline(always)]
    fn of(self, value: R, first: R, second: R) -> Self {
        let g = self.gradient;
        Self::made(value, |i| first * g[i], |k, i, j| first * self.hessian[k] + second * (g[i] * g[j]))
    }
}
macro_rules! divides { ($($type:ident [$($size:ident)*])*) => { $(
    impl<R: Number, $(const $size: usize),*> Div for $type<R, $($size),*> {
        type Output = Self;
        #[inline(always)]
        #[allow(clippy::suspicious_arithmetic_impl)] // by the inverse, whose derivatives are simpler
        fn div(self, other: Self) -> Self {
            self * other.inverse()
        }
    }
)* } }
divides!(First [N] Second [N H]);
