//! Complex numbers: a linear map of the plane is x → z x + w x̄ with two of them.
use glam::DVec2;

/// `a b`.
#[inline(always)]
pub fn times(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}
/// `ā b`.
#[inline(always)]
pub fn conjugate_times(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x)
}
/// `i a`.
#[inline(always)]
pub fn turned(a: DVec2) -> DVec2 {
    DVec2::new(-a.y, a.x)
}
/// `a / |a|`, or `otherwise` for 0.
#[inline(always)]
pub fn direction(a: DVec2, otherwise: DVec2) -> DVec2 {
    let length = libm::sqrt(a.dot(a));
    if length > 1e-150 { a * (1.0 / length) } else { otherwise }
}

/// A linear map of the plane, x → z x + w x̄: z turns and scales, w mirrors.
#[derive(Clone, Copy)]
pub struct Linear {
    /// The part that keeps angles.
    pub z: DVec2,
    /// The part that mirrors.
    pub w: DVec2,
}
impl Linear {
    /// The map with these columns.
    #[inline(always)]
    pub fn of_columns(first: DVec2, second: DVec2) -> Self {
        let turned = turned(second);
        Self { z: (first - turned) * 0.5, w: (first + turned) * 0.5 }
    }
    /// Its columns.
    #[inline(always)]
    pub fn columns(self) -> (DVec2, DVec2) {
        (self.z + self.w, turned(self.z - self.w))
    }
    /// The determinant: the product of the singular values |z| + |w| and |z| - |w|.
    #[inline(always)]
    pub fn determinant(self) -> f64 {
        self.z.dot(self.z) - self.w.dot(self.w)
    }
}
