//! The distance of a point from a triangle.
use crate::device::Vec3;
use crate::device::math::fast_recip;

/// Squared lengths and areas below this count as none.
const TINY: f32 = 1e-36;

/// A triangle's point that is nearest to another point.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    /// Weights of the second and the third corner.
    pub weights: [f32; 2],
    /// Squared distance.
    pub distance_squared: f32,
}

/// The nearest point of a triangle to `p`.
///
/// The regions are as in Ericson, *Real-Time Collision Detection* (2005), 5.1.5: corners, edges, interior.
/// Which it is, is not decided by signs that rounding may turn: the nearest points of the three edges and,
/// where the projection of `p` lies inside, of the interior are all computed, and the nearest of them wins.
/// Each is a point of the triangle, so that slivers, triangles that are lines or points, and points far away
/// get an answer as good as `f32` allows.
///
/// The squared distance is never less than `least`, that of the triangle's box.
#[inline(always)]
pub(crate) fn nearest(p: Vec3, [a, b, c]: [Vec3; 3], least: f32) -> Nearest {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let (a, b) = (a - p, b - p);
    let square = |q: Vec3| q.dot(q);

    let t = along(a, ab);
    let mut best = Nearest { weights: [t, 0.0], distance_squared: square(a + t * ab) };
    let mut consider = |weights, distance_squared| {
        if distance_squared < best.distance_squared {
            best = Nearest { weights, distance_squared };
        }
    };
    let t = along(a, ac);
    consider([0.0, t], square(a + t * ac));
    let t = along(b, bc);
    consider([1.0 - t, t], square(b + t * bc));

    let n = ab.cross(ac);
    let area = square(n);
    if area > TINY {
        let scale = fast_recip(area);
        let weights = |q: Vec3| [scale * ac.cross(q).dot(n), scale * q.cross(ab).dot(n)];
        let [u, v] = weights(a);
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
            // once more from there, for what a sliver's normal lost
            let q = a + u * ab + v * ac;
            let [du, dv] = weights(q);
            consider([u + du, v + dv], square(q + du * ab + dv * ac));
        }
    }
    best.distance_squared = best.distance_squared.max(least);
    best
}

/// The parameter, from 0 to 1, of the point nearest to the origin on the segment from `from` along `side`.
#[inline(always)]
fn along(from: Vec3, side: Vec3) -> f32 {
    let length = side.dot(side);
    let t = if length > TINY { -from.dot(side) * fast_recip(length) } else { 0.0 };
    t.clamp(0.0, 1.0)
}
