//! Entries of matrices and elements of vectors (Mueller-Roemer 2020, section 5.3.1: compound entries).
use super::components::for_each_component;
use bytemuck::{Pod, Zeroable};
use core::fmt::Debug;
pub use ribbonmesh_linear::Real;

/// An element of a vector that a matrix is multiplied by: numbers of type `Real`, at most 36, and nothing
/// else.
pub trait Element: Pod + Debug + Send + Sync {
    /// Its numbers.
    type Real: Real;
    /// The value of the empty sum.
    const ZERO: Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
}

/// An entry of a sparse matrix (Mueller-Roemer 2020, section 5.3.2: a compound entry with its operators):
/// numbers of type `Real`, at most 36, and nothing else.
///
/// Implement it for a type of your own, and make its kernels by [`entry_kernels!`](crate::entry_kernels).
pub trait Entry: Pod + Debug + Send + Sync {
    /// Its numbers.
    type Real: Real;
    /// The type of the vector elements that it multiplies, and of the products.
    type Element: Element<Real = Self::Real>;
    /// The entry that is not stored.
    const ZERO: Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The product with an element of a vector.
    fn times(self, x: Self::Element) -> Self::Element;
    /// `sum` plus the product: what a row is made of.
    #[inline(always)]
    fn times_plus(self, x: Self::Element, sum: Self::Element) -> Self::Element {
        sum.plus(self.times(x))
    }
    /// The adjoint, with `(a b)* = b* a*`: the conjugate of a complex number, of a quaternion and of both
    /// parts of a dual quaternion; the transpose of a block.
    fn adjoint(self) -> Self;
    /// The inverse, for a preconditioner; `None` if it is not finite.
    fn inverse(self) -> Option<Self> {
        None
    }
}

macro_rules! numbers { ($($real:ident)*) => { $(
    impl Element for $real {
        type Real = Self;
        const ZERO: Self = 0.0;
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            self + other
        }
    }
    impl Entry for $real {
        type Real = Self;
        type Element = Self;
        const ZERO: Self = 0.0;
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            self + other
        }
        #[inline(always)]
        fn times(self, x: Self) -> Self {
            self * x
        }
        #[inline(always)]
        fn adjoint(self) -> Self {
            self
        }
        fn inverse(self) -> Option<Self> {
            finite(1.0 / self)
        }
    }
)* } }
numbers!(f32 f64);

/// The value, if all of its numbers are finite.
fn finite<E: Entry>(value: E) -> Option<E> {
    let mut sound = true;
    for_each_component::<E, E::Real>(value, |_, x| sound &= x.to_f64().is_finite());
    sound.then_some(value)
}

impl<R: Real, const N: usize> Element for [R; N]
where
    [R; N]: Pod,
{
    type Real = R;
    const ZERO: Self = [R::ZERO; N];
    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < N {
            self[i] += other[i];
            i += 1;
        }
        self
    }
}

/// A number `re + i im`: the real matrix `[[re, -im], [im, re]]`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<R> {
    /// The real part.
    pub re: R,
    /// The imaginary part.
    pub im: R,
}
/// A quaternion `w + i x + j y + k z`. As an entry it multiplies from the left.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quaternion<R> {
    /// The real part.
    pub w: R,
    /// The factor of i.
    pub x: R,
    /// The factor of j.
    pub y: R,
    /// The factor of k.
    pub z: R,
}
/// A dual quaternion `real + ε dual`, with ε² = 0. As an entry it multiplies from the left.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DualQuaternion<R> {
    /// The part without ε.
    pub real: Quaternion<R>,
    /// The factor of ε.
    pub dual: Quaternion<R>,
}
/// A dense block of `N` rows and columns. Row by row; it multiplies vectors of `[R; N]`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseBlock<R, const N: usize>(
    /// The rows.
    pub [[R; N]; N],
);

// SAFETY: fields of one type that is `Zeroable`, so that all bits 0 are a value.
unsafe impl<R: Real> Zeroable for Complex<R> {}
// SAFETY: `repr(C)`, fields of one type that is `Pod`: no padding, all bits are a value.
unsafe impl<R: Real> Pod for Complex<R> {}
// SAFETY: fields of one type that is `Zeroable`, so that all bits 0 are a value.
unsafe impl<R: Real> Zeroable for Quaternion<R> {}
// SAFETY: `repr(C)`, fields of one type that is `Pod`: no padding, all bits are a value.
unsafe impl<R: Real> Pod for Quaternion<R> {}
// SAFETY: fields of one type that is `Zeroable`, so that all bits 0 are a value.
unsafe impl<R: Real> Zeroable for DualQuaternion<R> {}
// SAFETY: `repr(C)`, fields of one type that is `Pod`: no padding, all bits are a value.
unsafe impl<R: Real> Pod for DualQuaternion<R> {}
// SAFETY: an array of arrays of a type that is `Zeroable`, so that all bits 0 are a value.
unsafe impl<R: Real, const N: usize> Zeroable for DenseBlock<R, N> {}
// SAFETY: an array of arrays of a type that is `Pod`: no padding, all bits are a value.
unsafe impl<R: Real, const N: usize> Pod for DenseBlock<R, N> {}

impl<R: Real> Complex<R> {
    /// `re + i im`.
    #[inline(always)]
    pub const fn new(re: R, im: R) -> Self {
        Self { re, im }
    }
}
impl<R: Real> Element for Complex<R> {
    type Real = R;
    const ZERO: Self = Self { re: R::ZERO, im: R::ZERO };
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}
impl<R: Real> Entry for Complex<R> {
    type Real = R;
    type Element = Self;
    const ZERO: Self = <Self as Element>::ZERO;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Element::plus(self, other)
    }
    #[inline(always)]
    fn times(self, x: Self) -> Self {
        Self { re: self.re * x.re - self.im * x.im, im: self.re * x.im + self.im * x.re }
    }
    #[inline(always)]
    fn adjoint(self) -> Self {
        Self { re: self.re, im: -self.im }
    }
    fn inverse(self) -> Option<Self> {
        let square = self.re * self.re + self.im * self.im;
        finite(Self { re: self.re / square, im: -self.im / square })
    }
}

impl<R: Real> Quaternion<R> {
    /// `w + i x + j y + k z`.
    #[inline(always)]
    pub const fn new(w: R, x: R, y: R, z: R) -> Self {
        Self { w, x, y, z }
    }
}
impl<R: Real> Element for Quaternion<R> {
    type Real = R;
    const ZERO: Self = Self { w: R::ZERO, x: R::ZERO, y: R::ZERO, z: R::ZERO };
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        Self { w: self.w + o.w, x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}
impl<R: Real> Entry for Quaternion<R> {
    type Real = R;
    type Element = Self;
    const ZERO: Self = <Self as Element>::ZERO;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Element::plus(self, other)
    }
    #[inline(always)]
    fn times(self, q: Self) -> Self {
        let Self { w, x, y, z } = self;
        Self {
            w: w * q.w - x * q.x - y * q.y - z * q.z,
            x: w * q.x + x * q.w + y * q.z - z * q.y,
            y: w * q.y - x * q.z + y * q.w + z * q.x,
            z: w * q.z + x * q.y - y * q.x + z * q.w,
        }
    }
    #[inline(always)]
    fn adjoint(self) -> Self {
        Self { w: self.w, x: -self.x, y: -self.y, z: -self.z }
    }
    fn inverse(self) -> Option<Self> {
        let Self { w, x, y, z } = self;
        let square = w * w + x * x + y * y + z * z;
        finite(Self { w: w / square, x: -x / square, y: -y / square, z: -z / square })
    }
}

impl<R: Real> Element for DualQuaternion<R> {
    type Real = R;
    const ZERO: Self =
        Self { real: <Quaternion<R> as Element>::ZERO, dual: <Quaternion<R> as Element>::ZERO };
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        Self { real: Element::plus(self.real, o.real), dual: Element::plus(self.dual, o.dual) }
    }
}
impl<R: Real> Entry for DualQuaternion<R> {
    type Real = R;
    type Element = Self;
    const ZERO: Self = <Self as Element>::ZERO;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Element::plus(self, other)
    }
    #[inline(always)]
    fn times(self, q: Self) -> Self {
        let dual = Element::plus(self.real.times(q.dual), self.dual.times(q.real));
        Self { real: self.real.times(q.real), dual }
    }
    // not the transpose of the real matrix [[A, 0], [B, A]] of a + ε b, which does not have this form unless
    // b is 0
    #[inline(always)]
    fn adjoint(self) -> Self {
        Self { real: self.real.adjoint(), dual: self.dual.adjoint() }
    }
    // (a + ε b) (a⁻¹ - ε a⁻¹ b a⁻¹) = 1
    fn inverse(self) -> Option<Self> {
        let real = self.real.inverse()?;
        let Quaternion { w, x, y, z } = real.times(self.dual).times(real);
        finite(Self { real, dual: Quaternion { w: -w, x: -x, y: -y, z: -z } })
    }
}

impl<R: Real, const N: usize> Entry for DenseBlock<R, N>
where
    [R; N]: Pod,
{
    type Real = R;
    type Element = [R; N];
    const ZERO: Self = Self([[R::ZERO; N]; N]);
    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] = self.0[i].plus(other.0[i]);
            i += 1;
        }
        self
    }
    #[inline(always)]
    fn times(self, x: [R; N]) -> [R; N] {
        self.times_plus(x, [R::ZERO; N])
    }
    #[inline(always)]
    fn times_plus(self, x: [R; N], mut y: [R; N]) -> [R; N] {
        let mut i = 0;
        while i < N {
            let mut j = 0;
            while j < N {
                y[i] += self.0[i][j] * x[j];
                j += 1;
            }
            i += 1;
        }
        y
    }
    #[inline(always)]
    fn adjoint(self) -> Self {
        let mut to = [[R::ZERO; N]; N];
        let mut i = 0;
        while i < N {
            let mut j = 0;
            while j < N {
                to[j][i] = self.0[i][j];
                j += 1;
            }
            i += 1;
        }
        Self(to)
    }
    // Gauss and Jordan, the pivot the largest of its column
    fn inverse(self) -> Option<Self> {
        let absolute = |x: R| if x < R::ZERO { -x } else { x };
        let (Self(mut a), mut b) = (self, [[R::ZERO; N]; N]);
        for (i, row) in b.iter_mut().enumerate() {
            row[i] = R::ONE;
        }
        for c in 0..N {
            let mut pivot = c;
            for i in c + 1..N {
                if absolute(a[i][c]) > absolute(a[pivot][c]) {
                    pivot = i;
                }
            }
            a.swap(c, pivot);
            b.swap(c, pivot);
            let scale = R::ONE / a[c][c];
            for j in 0..N {
                a[c][j] = a[c][j] * scale;
                b[c][j] = b[c][j] * scale;
            }
            for i in 0..N {
                let factor = a[i][c];
                if i != c {
                    for j in 0..N {
                        a[i][j] = a[i][j] - factor * a[c][j];
                        b[i][j] = b[i][j] - factor * b[c][j];
                    }
                }
            }
        }
        finite(Self(b))
    }
}
