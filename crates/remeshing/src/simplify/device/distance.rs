//! Distances of points from triangles.
use glam::Vec3;

/// The squared distance of point `p` from triangle a b c: from its plane if the projection of `p` is inside,
/// else from its sides.
#[inline(always)]
pub fn from_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> f32 {
    let n = (b - a).cross(c - a);
    let square = n.length_squared();
    let inside = |u: Vec3, v: Vec3| n.dot((v - u).cross(p - u)) >= 0.0;
    if square > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        let d = n.dot(p - a);
        return d * d / square;
    }
    from_side(p, a, b).min(from_side(p, b, c)).min(from_side(p, c, a))
}

#[inline(always)]
fn from_side(p: Vec3, a: Vec3, b: Vec3) -> f32 {
    let (d, q) = (b - a, p - a);
    let square = d.length_squared();
    let t = if square > 0.0 { (q.dot(d) / square).clamp(0.0, 1.0) } else { 0.0 };
    (q - t * d).length_squared()
}
