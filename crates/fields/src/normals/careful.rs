//! The normal of a vertex in `f64`: for slivers, for lengths that `f32` cannot square, and where corners
//! cancel.
use crate::normals::corner::Weighting;
use glam::{DVec3, Vec3};
use ribbonmesh::corners::Points;
use ribbonmesh::device::math::{fast_recip, sqrt};

/// Least ratio of the largest component of a × b to those of a and b for which a corner counts: above
/// rounding.
const FLAT: f64 = 1e-15;
/// Least part of the sum of the corners' contributions that has to remain.
const CANCELLED: f64 = 1e-13;

/// The unit normal at vertex `v`, whose corners have these vertices as next and previous ones; zero if it has
/// no direction.
#[inline(always)]
pub fn careful_normal<W: Weighting>(
    x: impl Points,
    v: u32,
    corners: impl Iterator<Item = (u32, u32)>,
) -> Vec3 {
    let at = x.at(v).as_dvec3();
    let (mut sum, mut size) = (DVec3::ZERO, 0.0);
    for (next, previous) in corners {
        let (a, b) = (x.at(next).as_dvec3() - at, x.at(previous).as_dvec3() - at);
        let (n, lengths) = (a.cross(b), a.abs().max_element() * b.abs().max_element());
        // false for a NaN
        if n.abs().max_element() > FLAT * lengths && n.is_finite() {
            let weight = W::weight(a, b, n);
            sum += n * weight;
            size += lengths * weight;
        }
    }
    let greatest = sum.abs().max_element();
    if greatest > CANCELLED * size && sum.is_finite() {
        // scaled by a power of two to a length near 1
        let n = (sum * f64::from_bits((2046 - (greatest.to_bits() >> 52)) << 52)).as_vec3();
        n * fast_recip(sqrt(n.dot(n)))
    } else {
        Vec3::ZERO
    }
}
