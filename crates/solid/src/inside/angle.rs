//! Solid angles.
use glam::{DVec3, Vec3};
use libm::{atan2, sqrt};

/// A sum of solid angles.
///
/// The solid angle of a triangle is twice the argument of a complex number (van Oosterom and Strackee 1983).
/// The product of these numbers has the sum of the arguments, up to whole turns, which are counted. Therefore
/// only the sum needs an arctangent.
#[derive(Clone, Copy)]
pub struct Angles {
    real: f64,
    imaginary: f64,
    turns: i32,
}

impl Angles {
    /// The sum over no triangles.
    #[inline(always)]
    pub fn new() -> Self {
        Self { real: 1.0, imaginary: 0.0, turns: 0 }
    }
    /// Adds the solid angle of a triangle around a point: positive if the point is behind the triangle. 0 for
    /// a point in the triangle's plane.
    #[inline(always)]
    pub fn add(&mut self, point: Vec3, corners: [Vec3; 3]) {
        let p = point.as_dvec3();
        let [a, b, c] = corners.map(|corner| corner.as_dvec3() - p);
        let volume = a.dot(b.cross(c));
        let length = |v: DVec3| sqrt(v.length_squared());
        let [la, lb, lc] = [length(a), length(b), length(c)];
        let cosine = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        let size = sqrt(volume * volume + cosine * cosine);
        if volume == 0.0 || size <= 0.0 || size.is_nan() {
            return;
        }
        let (re, im) = (cosine / size, volume / size);
        let real = self.real * re - self.imaginary * im;
        let imaginary = self.real * im + self.imaginary * re;
        // both arguments are on one side of 0, and their sum is on the other: it has passed a half turn
        let past = self.real < 0.0 || re < 0.0;
        if self.imaginary >= 0.0 && im > 0.0 && imaginary < 0.0 && past {
            self.turns += 1;
        } else if self.imaginary < 0.0 && im < 0.0 && imaginary >= 0.0 && past {
            self.turns -= 1;
        }
        // the size stays 1 but for rounding, which one Newton step corrects
        let keep = 1.5 - 0.5 * (real * real + imaginary * imaginary);
        (self.real, self.imaginary) = (keep * real, keep * imaginary);
    }
    /// The sum as a part of the full solid angle.
    #[inline(always)]
    pub fn winding(&self) -> f64 {
        const BY_TURN: f64 = 0.5 * core::f64::consts::FRAC_1_PI;
        // a solid angle of 4π is the argument 2π
        self.turns as f64 + BY_TURN * atan2(self.imaginary, self.real)
    }
}
