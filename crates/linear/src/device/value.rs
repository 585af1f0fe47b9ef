//! Numbers, and elements of vectors that consist of them.
use bytemuck::Pod;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use ribbonmesh::device::{In, Out, Vec3};

/// Real numbers: `f32` and `f64`.
pub trait Real:
    Pod
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + PartialOrd
    + Debug
    + Send
    + Sync
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// As `f64`.
    fn to_f64(self) -> f64;
    /// The nearest number.
    fn from_f64(value: f64) -> Self;
}
macro_rules! real { ($($real:ident)*) => { $(
    impl Real for $real {
        const ZERO: Self = 0.0;
        const ONE: Self = 1.0;
        #[inline(always)]
        fn to_f64(self) -> f64 {
            self as f64
        }
        #[inline(always)]
        fn from_f64(value: f64) -> Self {
            value as Self
        }
    }
)* } }
real!(f32 f64);

/// An element of a vector: one or several numbers.
pub trait Value: Copy {
    /// Its numbers.
    type Real: Real;
    /// `self + by other`.
    fn plus(self, by: Self::Real, other: Self) -> Self;
    /// The sum of the products of the numbers.
    fn dot(self, other: Self) -> f64;
}
macro_rules! values { ($($real:ident)*) => { $(
    impl Value for $real {
        type Real = Self;
        #[inline(always)]
        fn plus(self, by: Self, other: Self) -> Self {
            self + by * other
        }
        #[inline(always)]
        fn dot(self, other: Self) -> f64 {
            self as f64 * other as f64
        }
    }
)* } }
values!(f32 f64);
impl Value for Vec3 {
    type Real = f32;
    #[inline(always)]
    fn plus(self, by: f32, other: Self) -> Self {
        self + by * other
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self.x.dot(other.x) + self.y.dot(other.y) + self.z.dot(other.z)
    }
}
impl Value for [f64; 2] {
    type Real = f64;
    #[inline(always)]
    fn plus(self, by: f64, [c, d]: Self) -> Self {
        let [a, b] = self;
        [a.plus(by, c), b.plus(by, d)]
    }
    #[inline(always)]
    fn dot(self, [c, d]: Self) -> f64 {
        let [a, b] = self;
        a * c + b * d
    }
}
impl Value for [f64; 3] {
    type Real = f64;
    #[inline(always)]
    fn plus(self, by: f64, [d, e, f]: Self) -> Self {
        let [a, b, c] = self;
        [a.plus(by, d), b.plus(by, e), c.plus(by, f)]
    }
    #[inline(always)]
    fn dot(self, [d, e, f]: Self) -> f64 {
        let [a, b, c] = self;
        a * d + b * e + c * f
    }
}
impl Value for [f32; 4] {
    type Real = f32;
    #[inline(always)]
    fn plus(self, by: f32, [e, f, g, h]: Self) -> Self {
        let [a, b, c, d] = self;
        [a.plus(by, e), b.plus(by, f), c.plus(by, g), d.plus(by, h)]
    }
    #[inline(always)]
    fn dot(self, [e, f, g, h]: Self) -> f64 {
        let [a, b, c, d] = self;
        (a.dot(e) + b.dot(f)) + (c.dot(g) + d.dot(h))
    }
}

/// A vector that a kernel reads.
pub trait Read: Copy {
    /// Its elements.
    type Value: Value;
    /// Element `i`.
    fn get(self, i: u32) -> Self::Value;
}
/// A vector that a kernel writes, and whose own elements it reads.
pub trait Write: Read {
    /// Writes element `i`.
    fn set(self, i: u32, value: Self::Value);
}
impl<T: Pod + Value> Read for In<'_, T> {
    type Value = T;
    #[inline(always)]
    fn get(self, i: u32) -> T {
        In::get(&self, i)
    }
}
impl<T: Pod + Value> Read for Out<'_, T> {
    type Value = T;
    #[inline(always)]
    fn get(self, i: u32) -> T {
        Out::get(&self, i)
    }
}
impl<T: Pod + Value> Write for Out<'_, T> {
    #[inline(always)]
    fn set(self, i: u32, value: T) {
        Out::set(&self, i, value)
    }
}
