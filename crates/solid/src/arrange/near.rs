//! Double precision with a bound of the error: a sign that the bound leaves open is computed in integers.
use glam::DVec3;
use std::ops::{Add, Mul, Sub};

/// A number, and a bound of its distance from the exact one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// Relative error of an operation: 2⁻⁵³, doubled for the rounding of the bound itself.
const ROUNDING: f64 = f64::EPSILON;
/// Factor of carried errors, for the rounding of the bound.
const MORE: f64 = 1.0 + 8.0 * f64::EPSILON;

impl Near {
    /// A number that is exact.
    pub(crate) fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }
    /// The sign, if it is certain.
    pub(crate) fn sign(self) -> Option<i32> {
        if self.value > self.error {
            Some(1)
        } else if self.value < -self.error {
            Some(-1)
        } else if self.error == 0.0 {
            Some(0)
        } else {
            None
        }
    }
    fn rounded(value: f64, error: f64) -> Self {
        Self { value, error: MORE * error + ROUNDING * value.abs() }
    }
    /// The quotient; its error is infinite if the divisor may be 0.
    pub(crate) fn over(self, other: Self) -> Self {
        let least = other.value.abs() - other.error;
        let value = self.value / other.value;
        if !(least > 0.0 && value.is_finite()) {
            return Self { value: 0.0, error: f64::INFINITY };
        }
        // the exact quotient q has (value - q) other = self's error + value times the other's
        Self::rounded(value, (self.error + value.abs() * other.error) / least * (1.0 + 1e-12))
    }
}
impl Add for Near {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.error + other.error)
    }
}
impl Sub for Near {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::rounded(self.value - other.value, self.error + other.error)
    }
}
impl Mul for Near {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let error = self.value.abs() * other.error + self.error * (other.value.abs() + other.error);
        Self::rounded(self.value * other.value, error)
    }
}

pub(crate) type Near3 = [Near; 3];

pub(crate) fn difference(a: DVec3, b: DVec3) -> Near3 {
    [0, 1, 2].map(|i| Near::exact(a[i]) - Near::exact(b[i]))
}
pub(crate) fn cross(a: &Near3, b: &Near3) -> Near3 {
    [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}
pub(crate) fn dot(a: &Near3, b: &Near3) -> Near {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
