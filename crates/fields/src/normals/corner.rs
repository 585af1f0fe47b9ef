//! Contributions of corners to the normal of a vertex.
use glam::{DVec3, Vec3};
use ribbonmesh::corners::angle;
use ribbonmesh::device::math::{fast_recip, sqrt};

/// Weighting of corners: one of the three below. `a` and `b` are the edge vectors from the vertex to the next
/// and the previous vertex of the face.
pub trait Weighting: Copy {
    /// Records the squared length of an edge vector.
    #[inline(always)]
    fn edge(_: &mut Sum, _squared: f32) {}
    /// Adds a corner; `aa` and `bb` are the squared lengths of `a` and `b`.
    fn add(sum: &mut Sum, a: Vec3, b: Vec3, aa: f32, bb: f32);
    /// The weight of the corner with a × b = `n`, not zero, times anything that is the same for all corners.
    fn weight(a: DVec3, b: DVec3, n: DVec3) -> f64;
}

/// The sum over a vertex's corners, in `f32`, and the values that tell whether it is precise enough.
#[derive(Clone, Copy)]
pub struct Sum {
    n: Vec3,
    /// A bound of the sum of |a| |b| times the weight: the scale of rounding errors. With weights by area it
    /// is large where an edge is long, with Max where one is short, relative to the first one, whose length
    /// is near 1.
    size: f32,
    shortest: f32,
    longest: f32,
    precise: bool,
}
impl Default for Sum {
    /// The sum of no corners.
    #[inline(always)]
    fn default() -> Self {
        Self { n: Vec3::ZERO, size: 0.0, shortest: f32::MAX, longest: 0.0, precise: true }
    }
}
impl Sum {
    /// The unit normal, `None` if lengths are out of range, or if more than four bits cancel: then an error
    /// of about 1e-6 is not guaranteed.
    #[inline(always)]
    pub fn normal(&self) -> Option<Vec3> {
        let in_range =
            self.shortest >= SHORTEST && self.longest <= LONGEST && (SHORTEST..=LONGEST).contains(&self.size);
        let squared = self.n.dot(self.n);
        // false for a NaN
        let enough = squared * 256.0 >= self.size * self.size;
        (in_range && enough && self.precise).then(|| self.n * fast_recip(sqrt(squared)))
    }
}
/// 2^-40: products of two squared lengths and their reciprocals stay far from the ends of `f32`.
const SHORTEST: f32 = 1.0 / LONGEST;
const LONGEST: f32 = (1u64 << 40) as f32;

/// Weights by the area of the face.
#[derive(Clone, Copy)]
pub struct Area;
impl Weighting for Area {
    #[inline(always)]
    fn add(sum: &mut Sum, a: Vec3, b: Vec3, aa: f32, bb: f32) {
        sum.n += a.cross(b);
        sum.size += 0.5 * (aa + bb);
    }
    #[inline(always)]
    fn weight(_: DVec3, _: DVec3, _: DVec3) -> f64 {
        1.0
    }
}

/// Weights by the angle of the face at the vertex.
#[derive(Clone, Copy)]
pub struct Angle;
impl Weighting for Angle {
    #[inline(always)]
    fn edge(sum: &mut Sum, squared: f32) {
        sum.shortest = sum.shortest.min(squared);
        sum.longest = sum.longest.max(squared);
    }
    #[inline(always)]
    fn add(sum: &mut Sum, a: Vec3, b: Vec3, aa: f32, bb: f32) {
        let n = a.cross(b);
        let squared = n.dot(n);
        // precise if the sine is at least 1/16
        sum.precise &= squared * 256.0 >= aa * bb;
        let length = sqrt(squared);
        let angle = angle(length, a.dot(b));
        sum.n += n * (angle * fast_recip(length));
        sum.size += angle;
    }
    #[inline(always)]
    fn weight(a: DVec3, b: DVec3, n: DVec3) -> f64 {
        // scaled, so that squares stay in range
        let greatest = n.abs().max_element();
        let u = n / greatest;
        let length = libm::sqrt(u.dot(u));
        libm::atan2(length, a.dot(b) / greatest) / (length * greatest)
    }
}

/// Weights by the inverse of the product of the squared lengths (Max 1999): exact for points of a sphere.
#[derive(Clone, Copy)]
pub struct Max;
impl Weighting for Max {
    #[inline(always)]
    fn add(sum: &mut Sum, a: Vec3, b: Vec3, aa: f32, bb: f32) {
        let weight = fast_recip(aa * bb);
        sum.n += a.cross(b) * weight;
        sum.size += 0.5 * weight * (aa + bb);
    }
    #[inline(always)]
    fn weight(a: DVec3, b: DVec3, _: DVec3) -> f64 {
        1.0 / (a.dot(a) * b.dot(b))
    }
}
