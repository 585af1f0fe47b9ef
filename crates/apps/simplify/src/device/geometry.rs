//! Triangles.
use glam::Vec3;
use ribbonmesh::device::math::sqrt;

/// The normal of a triangle, twice its area long.
#[inline(always)]
pub fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
/// How equilateral a triangle with normal `n` is: 1 if it is, 0 if it has no area.
#[inline(always)]
pub fn quality([a, b, c]: [Vec3; 3], n: Vec3) -> f32 {
    let sides = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
    if sides > 0.0 { 3.464_101_6 * sqrt(n.length_squared()) / sides } else { 0.0 }
}
/// Whether the angle between two vectors has a cosine above `least`; false if one is zero.
#[inline(always)]
pub fn within(a: Vec3, b: Vec3, least: f32) -> bool {
    a.dot(b) > least * sqrt(a.length_squared()) * sqrt(b.length_squared())
}
/// Below this [`quality`] a triangle's normal says little.
pub const DEGENERATE: f32 = 1e-3;
