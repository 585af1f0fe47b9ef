//! Weights of the triangles of a filling, the same on all machines.
use crate::fill::number::{cross, dot, length, times};
use glam::DVec3;
use ribbonmesh::device::bytemuck::{Pod, Zeroable};

/// Difference of the cosines of angles between normals below which the angles are equal: 0.08 degrees
/// around 0. Otherwise rounding would choose among the triangulations of a flat hole.
const STEP: f64 = 1e-6;
/// Sharpness of a triangle without area: greater than that of the sharpest edge.
const NO_AREA: f64 = 3.0;
/// Ratio of height to longest side below which a triangle has no area.
const FLAT: f64 = 1e-9;
/// Part of the squared length of an edge that is added to the area; it decides among triangulations of the
/// same area.
const COMPACT: f64 = 1e-4;

/// The weight of a triangulation: the sharpest edge, then the area (Barequet and Sharir 1995, Liepa 2003).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Pod, Zeroable)]
#[bytemuck(crate = "ribbonmesh::device::bytemuck")]
pub(crate) struct Weight {
    /// 1 minus the cosine of the greatest angle between neighbouring normals, rounded.
    pub sharpest: f64,
    /// The area, and a small part of the squared lengths of the edges.
    pub area: f64,
}

impl Weight {
    pub const ZERO: Self = Self { sharpest: 0.0, area: 0.0 };
    pub const INFINITE: Self = Self { sharpest: f64::INFINITY, area: f64::INFINITY };

    /// The weight of two triangulations together.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self { sharpest: self.sharpest.max(other.sharpest), area: self.area + other.area }
    }
}

/// The unit normal of a triangle and its area; no normal if it has no area.
#[inline(always)]
pub(crate) fn normal([a, b, c]: [DVec3; 3]) -> (DVec3, f64) {
    let (u, v, w) = (b - a, c - a, c - b);
    let across = cross(u, v);
    let twice = length(across);
    let longest = dot(u, u).max(dot(v, v)).max(dot(w, w));
    let area = times(0.5, twice);
    if twice <= times(FLAT, longest) { (DVec3::ZERO, area) } else { (across / twice, area) }
}

/// Sharpness of the edge between two faces with these unit normals: 0 if flat, 2 if folded. A face without a
/// normal has no sharp edges, unless it is new.
#[inline(always)]
pub(crate) fn sharpness(a: DVec3, b: DVec3) -> f64 {
    if a == DVec3::ZERO || b == DVec3::ZERO {
        return 0.0;
    }
    times(rounded((1.0 - dot(a, b)) / STEP), STEP).max(0.0)
}
/// The nearest integer of a number below 2^63, halves away from zero: as `libm::round`, by conversions, which
/// are single instructions. 0 for what is not a number.
#[inline(always)]
fn rounded(x: f64) -> f64 {
    let whole = x as i64 as f64;
    let rest = x - whole;
    if rest >= 0.5 {
        whole + 1.0
    } else if rest <= -0.5 {
        whole - 1.0
    } else {
        whole
    }
}

/// Cosine of the angle between two normals; 1 if one of the faces has none.
#[inline(always)]
pub(crate) fn cosine(a: DVec3, b: DVec3) -> f64 {
    if a == DVec3::ZERO || b == DVec3::ZERO {
        return 1.0;
    }
    dot(a, b) / libm::sqrt(times(dot(a, a), dot(b, b)))
}
/// The lesser of two cosines; one that is not a number does not count.
#[inline(always)]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}
/// The angle of the least cosine, in degrees.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) fn degrees(least: f64) -> f64 {
    libm::acos(least.clamp(-1.0, 1.0)).to_degrees()
}

/// The weight of a triangle beside faces with these normals, and its normal.
#[inline(always)]
pub(crate) fn triangle([a, b, c]: [DVec3; 3], beside: [DVec3; 2]) -> (Weight, DVec3) {
    let (normal, area) = normal([a, b, c]);
    let sharpest = if normal == DVec3::ZERO {
        NO_AREA
    } else {
        sharpness(normal, beside[0]).max(sharpness(normal, beside[1]))
    };
    let (u, v, w) = (a - b, b - c, c - a);
    let squares = dot(u, u) + dot(v, v) + dot(w, w);
    (Weight { sharpest, area: area + times(COMPACT, squares) }, normal)
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::rounded;

    #[test]
    fn numbers_are_rounded_as_by_libm() {
        let below = 0.5 - f64::EPSILON / 4.0;
        let all =
            [0.0, 0.25, below, 0.5, 0.75, 1.0, 1.5, 2.5, 1e6 + 0.5, 1999999.5, 4503599627370495.5, 1e17];
        for x in all.into_iter().flat_map(|x| [x, -x]) {
            assert_eq!(rounded(x), libm::round(x), "{x}");
        }
        assert_eq!(rounded(f64::NAN), 0.0);
    }
}
