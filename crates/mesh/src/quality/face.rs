//! The shape of one triangle, in double precision.
use glam::DVec3;

/// Angles and the like of a triangle that has an area.
pub(crate) struct FaceShape {
    /// The smallest angle, in degrees.
    pub smallest_angle: f64,
    /// The largest angle, in degrees.
    pub largest_angle: f64,
    /// Radius of the circle around, divided by twice that of the circle within: 1 for equilateral triangles.
    pub aspect_ratio: f64,
}

impl FaceShape {
    /// `None` if two corners coincide, the corners are on a line, or a coordinate is not finite.
    pub fn of(corners: [DVec3; 3]) -> Option<Self> {
        let side = |i: usize| {
            let (a, b) = (corners[(i + 1) % 3], corners[(i + 2) % 3]);
            (b - a).to_array()
        };
        let sides = [side(0), side(1), side(2)];
        let [a, b, c] = sides.map(|s| dot(s, s).sqrt());
        // twice the area
        let area = dot(cross(sides[0], sides[1]), cross(sides[0], sides[1])).sqrt();
        if !(area.is_finite() && area > 0.0) {
            return None;
        }
        // the angle at corner i lies between the two sides other than side i
        let angle = |i: usize| {
            let (u, v) = (sides[(i + 1) % 3], sides[(i + 2) % 3]);
            area.atan2(-dot(u, v)).to_degrees()
        };
        let angles = [angle(0), angle(1), angle(2)];
        // R = abc / 4A and r = 2A / (a + b + c), with A half of `area`
        let aspect_ratio = a / area * b / area * c * (a + b + c) / 4.0;
        Some(Self {
            smallest_angle: angles.into_iter().fold(f64::INFINITY, f64::min),
            largest_angle: angles.into_iter().fold(0.0, f64::max),
            aspect_ratio,
        })
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
