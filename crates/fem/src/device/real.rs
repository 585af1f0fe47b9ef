//! Numbers of matrices, and their blocks.
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use ribbonmesh::device::Pod;

/// A number that a matrix is made of: `f32` or `f64`.
pub trait Real:
    Pod
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + PartialOrd
{
    /// 0.
    const ZERO: Self;
    /// Rounds a number to this precision.
    fn of(x: f64) -> Self;
    /// The number in double precision.
    fn to_f64(self) -> f64;
}
macro_rules! real { ($($t:ident)*) => { $(impl Real for $t {
    const ZERO: Self = 0.0;
    #[inline(always)]
    fn of(x: f64) -> Self {
        x as $t
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }
})* } }
real!(f32 f64);

/// A block of a matrix, row by row: `[S; 1]` where nodes have one unknown, `[S; 9]` where they have three.
pub trait Entry: Pod {
    /// The type of its numbers.
    type Scalar: Real;
    /// Rows and columns: the unknowns of a node.
    const SIZE: u32;
    /// The number of entry `k`, row by row; `k` is below `SIZE`².
    fn part(&self, k: u32) -> Self::Scalar;
    /// A block of its numbers.
    fn of(parts: impl FnMut(u32) -> Self::Scalar) -> Self;
    /// No contribution.
    #[inline(always)]
    fn zero() -> Self {
        Self::of(|_| Self::Scalar::ZERO)
    }
    /// The sum with another block.
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self::of(|k| self.part(k) + other.part(k))
    }
    /// Rows as columns.
    #[inline(always)]
    fn transposed(self) -> Self {
        Self::of(|k| self.part(k % Self::SIZE * Self::SIZE + k / Self::SIZE))
    }
}
macro_rules! entry { ($($t:ident $size:literal)*) => { $(impl Entry for [$t; $size * $size] {
    type Scalar = $t;
    const SIZE: u32 = $size;
    #[inline(always)]
    fn part(&self, k: u32) -> $t {
        self[k as usize]
    }
    #[inline(always)]
    fn of(mut parts: impl FnMut(u32) -> $t) -> Self {
        let mut block = [0.0; $size * $size];
        let mut k = 0;
        while k < $size * $size {
            block[k] = parts(k as u32);
            k += 1;
        }
        block
    }
})* } }
entry!(f32 1 f64 1 f32 2 f64 2 f32 3 f64 3);

/// Three numbers as a vector.
pub type Vector<S> = [S; 3];
/// The product of two vectors.
#[inline(always)]
pub fn dot<S: Real>(a: Vector<S>, b: Vector<S>) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
/// The cross product.
#[inline(always)]
pub fn cross<S: Real>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
/// a - b of two points in the precision of `S`: the coordinates are converted before they are subtracted.
#[inline(always)]
pub fn difference<S: Real>(a: glam::Vec3, b: glam::Vec3) -> Vector<S> {
    let of = |x: f32| S::of(x as f64);
    [of(a.x) - of(b.x), of(a.y) - of(b.y), of(a.z) - of(b.z)]
}
