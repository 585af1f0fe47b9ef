//! Cotangents of a triangle's angles.
use glam::Vec3;
use ribbonmesh::device::math::{fast_recip, sqrt};

/// Least height of a triangle, as a part of its longest side. A flatter triangle counts as that high: its
/// area is not 0, its cotangents stay finite, and, since all three are scaled alike, the matrix stays
/// positive definite.
pub const FLATTEST: f32 = 1e-4;
/// Greatest squared length of the longest side for which a triangle has no weight.
const SMALLEST: f32 = 1e-17;

/// The corner at v of a triangle (v, a, b).
#[derive(Clone, Copy)]
pub struct Corner {
    /// Squared length of v a.
    pub uu: f32,
    /// Squared length of v b.
    pub ww: f32,
    /// Cotangent of the angle at a, opposite to the side v b.
    pub at_a: f32,
    /// Cotangent of the angle at b, opposite to the side v a.
    pub at_b: f32,
    /// (a - v) · (b - v).
    pub uw: f32,
    /// Twice the area, as far as [`FLATTEST`] allows.
    pub area2: f32,
    /// (a - v) × (b - v) / `area2`: the unit normal, shorter where the triangle counts as higher.
    pub normal: Vec3,
}
impl Corner {
    /// The corner with the sides `u` = a - v, `w` = b - v, `c` = b - a, and the squared lengths of the first
    /// two.
    ///
    /// The area comes from the two shorter sides, so that it is as precise as the positions allow.
    #[inline(always)]
    pub fn new(u: Vec3, w: Vec3, c: Vec3, uu: f32, ww: f32) -> Self {
        let cc = c.dot(c);
        // all three products are the same but for rounding
        let n = if cc >= uu && cc >= ww {
            u.cross(w)
        } else if uu >= ww {
            c.cross(-w)
        } else {
            u.cross(c)
        };
        let longest = uu.max(ww).max(cc);
        let area2 = sqrt(n.dot(n)).max(FLATTEST * longest);
        let inverse = if longest > SMALLEST { fast_recip(area2) } else { 0.0 };
        let (at_a, at_b) = (-u.dot(c) * inverse, w.dot(c) * inverse);
        Self { uu, ww, at_a, at_b, uw: u.dot(w), area2, normal: n * inverse }
    }
    /// The part of the triangle's area that is nearer to v than to a and b; where the triangle is obtuse,
    /// half of the area if the obtuse angle is at v, else a quarter (Meyer, Desbrun, Schröder, Barr 2003,
    /// figure 4).
    #[inline(always)]
    pub fn mixed_area(&self) -> f32 {
        if self.uw <= 0.0 {
            0.25 * self.area2
        } else if self.at_a <= 0.0 || self.at_b <= 0.0 {
            0.125 * self.area2
        } else {
            // the cotangents of triangles that count as higher are too small: at most half of the area
            (0.125 * (self.uu * self.at_b + self.ww * self.at_a)).min(0.25 * self.area2)
        }
    }
    /// A third of the triangle's area.
    #[inline(always)]
    pub fn barycentric_area(&self) -> f32 {
        self.area2 * (1.0 / 6.0)
    }
}
