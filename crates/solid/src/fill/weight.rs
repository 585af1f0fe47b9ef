//! Weights of the triangles of a filling.
use glam::DVec3;

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
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
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
    pub fn and(self, other: Self) -> Self {
        Self { sharpest: self.sharpest.max(other.sharpest), area: self.area + other.area }
    }
}

/// The unit normal of a triangle and its area; no normal if it has no area.
pub(crate) fn normal([a, b, c]: [DVec3; 3]) -> (DVec3, f64) {
    let (u, v) = (b - a, c - a);
    let cross = u.cross(v);
    let length = cross.length();
    let longest = u.length_squared().max(v.length_squared()).max((c - b).length_squared());
    if length <= FLAT * longest { (DVec3::ZERO, 0.5 * length) } else { (cross / length, 0.5 * length) }
}

/// Sharpness of the edge between two faces with these unit normals: 0 if flat, 2 if folded. A face without a
/// normal has no sharp edges, unless it is new.
pub(crate) fn sharpness(a: DVec3, b: DVec3) -> f64 {
    if a == DVec3::ZERO || b == DVec3::ZERO {
        return 0.0;
    }
    (((1.0 - a.dot(b)) / STEP).round() * STEP).max(0.0)
}

/// The weight of a triangle beside faces with these normals, and its normal.
pub(crate) fn triangle(corners: [DVec3; 3], beside: [DVec3; 2]) -> (Weight, DVec3) {
    let (normal, area) = normal(corners);
    let sharpest = if normal == DVec3::ZERO {
        NO_AREA
    } else {
        sharpness(normal, beside[0]).max(sharpness(normal, beside[1]))
    };
    let [a, b, c] = corners;
    let squares = a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a);
    (Weight { sharpest, area: area + COMPACT * squares }, normal)
}
