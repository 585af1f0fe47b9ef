//! Triangles, and two of them at an edge. Sizes from 10⁻⁹ to 10⁹ are measured to `f32`: no product has more
//! than four lengths.
use crate::device::math::sqrt;
use glam::Vec3;

/// Below this [`quality`] a triangle's normal says little.
pub const SLIVER: f32 = 1e-3;

/// The normal of a triangle, twice its area long.
#[inline(always)]
pub fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
/// The quality of a triangle with normal `n`: 1 if it is equilateral, 0 if it has no area.
#[inline(always)]
pub fn quality([a, b, c]: [Vec3; 3], n: Vec3) -> f32 {
    let sides = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
    if sides > 0.0 { 3.464_101_6 * sqrt(n.length_squared()) / sides } else { 0.0 }
}
/// The sine of the smallest angle of a triangle: twice the area by the product of the two longer sides. 0
/// without area.
#[inline(always)]
pub fn smallest_sine([a, b, c]: [Vec3; 3]) -> f32 {
    let (u, v, w) = (b - a, c - b, a - c);
    let squares = [u.dot(u), v.dot(v), w.dot(w)];
    let least = squares[0].min(squares[1]).min(squares[2]);
    let (product, n) = if least == squares[0] {
        (squares[1] * squares[2], w.cross(v))
    } else if least == squares[1] {
        (squares[0] * squares[2], u.cross(w))
    } else {
        (squares[0] * squares[1], u.cross(v))
    };
    if product > 0.0 { sqrt(n.dot(n)) / sqrt(product) } else { 0.0 }
}
/// Whether the angle between two vectors has a cosine above `least`; false if one is zero.
#[inline(always)]
pub fn within(a: Vec3, b: Vec3, least: f32) -> bool {
    a.dot(b) > least * sqrt(a.length_squared()) * sqrt(b.length_squared())
}
/// Whether the normals of two triangles have an angle with a cosine below `cosine`; false if one is a sliver.
#[inline(always)]
pub fn sharp([t, u]: [[Vec3; 3]; 2], cosine: f32) -> bool {
    let (n, m) = (normal(t), normal(u));
    let good = quality(t, n) > SLIVER && quality(u, m) > SLIVER;
    good && n.dot(m) < cosine * sqrt(n.length_squared()) * sqrt(m.length_squared())
}
/// Whether the angles at `c` and `d`, opposite of the edge a b, add up to more than 180°: the sine of their
/// sum is below minus `tolerance`.
#[inline(always)]
pub fn not_delaunay([a, b, c, d]: [Vec3; 4], tolerance: f32) -> bool {
    let (ca, cb, da, db) = (a - c, b - c, a - d, b - d);
    let (n, m) = (ca.cross(cb), da.cross(db));
    let (sin_c, sin_d) = (sqrt(n.dot(n)), sqrt(m.dot(m)));
    // times both pairs of lengths
    let sine = sin_c * da.dot(db) + sin_d * ca.dot(cb);
    sine < -tolerance * sqrt(ca.dot(ca) * cb.dot(cb)) * sqrt(da.dot(da) * db.dot(db))
}
