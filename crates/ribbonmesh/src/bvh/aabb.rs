//! Axis-aligned boxes.
use crate::device::Vec3;

/// An axis-aligned box, from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    pub lo: Vec3,
    pub hi: Vec3,
}

impl Aabb {
    /// The box of nothing: it meets no box, and is part of every one.
    pub const EMPTY: Self = Self { lo: Vec3::INFINITY, hi: Vec3::NEG_INFINITY };

    /// The least that holds three points.
    #[inline(always)]
    pub fn of([a, b, c]: [Vec3; 3]) -> Self {
        Self { lo: a.min(b).min(c), hi: a.max(b).max(c) }
    }
    /// The same; empty if a coordinate of the first point is not a number, as that of a face that is left
    /// out.
    #[inline(always)]
    pub fn of_any([a, b, c]: [Vec3; 3]) -> Self {
        if a.x.is_nan() { Self::EMPTY } else { Self::of([a, b, c]) }
    }
    /// The least that holds both.
    #[inline(always)]
    pub fn union(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
    /// Whether both have a common point.
    ///
    /// Rounding keeps the order of coordinates: boxes that meet do so after they are scaled.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        let (a, b) = (self, other);
        // without jumps: whether boxes meet is not foreseen
        (a.lo.x <= b.hi.x)
            & (a.lo.y <= b.hi.y)
            & (a.lo.z <= b.hi.z)
            & (b.lo.x <= a.hi.x)
            & (b.lo.y <= a.hi.y)
            & (b.lo.z <= a.hi.z)
    }
    /// Squared distance of a point; 0 inside.
    ///
    /// Rounding keeps the order: a box within another is never nearer. The traversal relies on it.
    #[inline(always)]
    pub fn distance_squared(&self, p: Vec3) -> f32 {
        let d = (self.lo - p).max(p - self.hi).max(Vec3::ZERO);
        d.x * d.x + d.y * d.y + d.z * d.z
    }
}
