//! Arithmetic that gives the same bits on every machine.
//!
//! A GPU fuses a product with the sum that follows, and rounds once; a CPU rounds twice. The product of two
//! `f32` has 48 bits and so is exact in `f64`: there is nothing to round, and both give the same sum.
//! Therefore every product here that becomes part of a sum has two factors that are `f32`, and sums are
//! `f64`.
use glam::{DVec3, Vec3};

/// a · b.
#[inline(always)]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    product(a.x, b.x) + product(a.y, b.y) + product(a.z, b.z)
}
/// a × b.
#[inline(always)]
pub fn cross(a: Vec3, b: Vec3) -> DVec3 {
    DVec3::new(
        product(a.y, b.z) - product(a.z, b.y),
        product(a.z, b.x) - product(a.x, b.z),
        product(a.x, b.y) - product(a.y, b.x),
    )
}
/// The product w a, to be added to a sum.
#[inline(always)]
pub fn scaled(w: f32, a: Vec3) -> DVec3 {
    DVec3::new(product(w, a.x), product(w, a.y), product(w, a.z))
}
/// a b.
#[inline(always)]
pub fn product(a: f32, b: f32) -> f64 {
    a as f64 * b as f64
}
/// The square root of a number that is not negative.
#[inline(always)]
pub fn root(a: f64) -> f64 {
    libm::sqrt(a)
}
/// The length of a vector, and its direction, which is 0 for a vector that is 0 or not finite.
#[inline(always)]
pub fn polar(v: DVec3) -> (f64, Vec3) {
    let most = v.x.abs().max(v.y.abs()).max(v.z.abs());
    if !(most > 0.0 && most < f64::MAX) {
        return (0.0, Vec3::ZERO);
    }
    let u = Vec3::new((v.x / most) as f32, (v.y / most) as f32, (v.z / most) as f32);
    let length = root(dot(u, u));
    let part = |x: f32| (x as f64 / length) as f32;
    (length * most, Vec3::new(part(u.x), part(u.y), part(u.z)))
}
