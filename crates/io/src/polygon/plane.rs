//! A polygon in the plane.

use glam::{DVec2, DVec3};

/// Whether the triangles of a fan all have area, beyond the rounding of coordinates of precision `epsilon`,
/// and are turned like their sum, which is Newell's normal. False does not mean that the fan is wrong.
/// Linear, and without memory of its own.
pub(super) fn is_plainly_right(fan: &[[u32; 3]], positions: &[DVec3], epsilon: f64) -> bool {
    let places = |face: &[u32; 3]| face.map(|v| positions[v as usize]);
    let cross = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
    let normal: DVec3 = fan.iter().map(|face| cross(places(face))).sum();
    let largest = fan.iter().flat_map(places).fold(DVec3::ZERO, |largest, p| largest.max(p.abs()));
    // compared in squares: a triangle's height along the normal above its longest side, and the rounding
    let least = (2.0 * epsilon * largest.max_element()).powi(2) * normal.length_squared();
    fan.iter().all(|face| {
        let [a, b, c] = places(face);
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        let along = cross([a, b, c]).dot(normal);
        along > 0.0 && along * along > least * longest
    })
}

/// Cosines of angles that are nearer to each other are equal.
const SAME: f64 = 1e-6;

/// Whether a quad that is not flat is better cut from its second to its fourth corner than from its first to
/// its third. Then the triangles of both cuts are turned like the quad's mean normal, and the triangles of
/// this cut fold less, or equally along a shorter diagonal.
pub(super) fn is_other_diagonal_better(quad: [DVec3; 4]) -> bool {
    let [p, q, r, s] = quad;
    let cross = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - a);
    let (a, b) = (cross(p, q, r), cross(p, r, s));
    let cosine = |a: DVec3, b: DVec3| a.dot(b) / (a.length_squared() * b.length_squared()).sqrt();
    let fold = cosine(a, b);
    // triangles without area have none
    if fold.is_nan() || fold >= 1.0 - SAME {
        return false;
    }
    let (c, d) = (cross(p, q, s), cross(q, r, s));
    let normal = a + b;
    if ![a, b, c, d].iter().all(|n| n.dot(normal) > 0.0) {
        return false;
    }
    let other = cosine(c, d);
    let shorter = q.distance_squared(s) < (1.0 - SAME) * p.distance_squared(r);
    other > fold + SAME || other > fold - SAME && shorter
}

/// A polygon's corners along the coordinate axes that its plane is nearest to, counterclockwise.
pub(super) struct Polygon {
    pub points: Vec<DVec2>,
    /// The distance from their exact position that points may have, because of the rounding of their
    /// coordinates.
    pub rounding: f64,
}

impl Polygon {
    /// A polygon by the numbers of its corners; the plane is that of the normal of Newell (Sutherland,
    /// Sproull and Schumacker, *A characterization of ten hidden-surface algorithms*, 1974). `epsilon` is
    /// that of the coordinates' precision. `None` for one of no area, up to rounding. Linear.
    pub fn of(corners: &[u32], positions: &[DVec3], epsilon: f64) -> Option<Self> {
        let position = |corner: usize| positions[corners[corner] as usize];
        let origin = position(0);
        let largest = corners.iter().map(|&corner| positions[corner as usize].abs().max_element());
        let rounding = 2.0 * epsilon * largest.fold(0.0, f64::max);
        let (mut normal, mut around) = (DVec3::ZERO, 0.0);
        for i in 0..corners.len() {
            let [a, b] = [i, (i + 1) % corners.len()].map(|corner| position(corner) - origin);
            normal += a.cross(b);
            around += a.distance(b);
        }
        let area = normal.abs().max_element();
        if !area.is_finite() || area <= rounding * around {
            return None;
        }
        let flat = |[x, y, z]: [f64; 3]| match normal.abs() {
            n if n.z == area => (x, y, normal.z),
            n if n.x == area => (y, z, normal.x),
            _ => (z, x, normal.y),
        };
        let points = corners.iter().map(|&corner| {
            let (u, v, upward) = flat((positions[corner as usize] - origin).to_array());
            if upward > 0.0 { DVec2::new(u, v) } else { DVec2::new(v, u) }
        });
        Some(Self { points: points.collect(), rounding })
    }

    /// Twice the signed area of the triangle of three corners, and 0 where its height is within rounding.
    pub fn turn(&self, corners: [u32; 3]) -> f64 {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let doubled = (b - a).perp_dot(c - a);
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        if doubled.abs() <= self.rounding * longest.sqrt() { 0.0 } else { doubled }
    }
}
