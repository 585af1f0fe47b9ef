//! Distances from every triangle, in double precision (Ericson, *Real-Time Collision
//! Detection*, 5.1.5).
use crate::Random;
use ribbonmesh::glam::{DVec3, Vec3};

/// The distance of `p` from a triangle: by regions, edges and interior apart.
pub fn distance_to_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let segment = |a: DVec3, b: DVec3| {
        let side = b - a;
        let t = if side == DVec3::ZERO { 0.0 } else { ((p - a).dot(side) / side.dot(side)).clamp(0.0, 1.0) };
        p.distance(a + t * side)
    };
    let least = segment(a, b).min(segment(b, c)).min(segment(c, a));
    let n = (b - a).cross(c - a);
    let inside = |a: DVec3, b: DVec3| (b - a).cross(p - a).dot(n) >= 0.0;
    // a sliver's normal is not worth much in double precision either; its edges are close enough
    let longest = (b - a).length().max((c - a).length()).max((c - b).length());
    if n.length() > 1e-14 * longest * longest && inside(a, b) && inside(b, c) && inside(c, a) {
        return least.min((p - a).dot(n).abs() / n.length());
    }
    least
}

/// The distance of `p` from the nearest of all triangles; infinite if there is none.
pub fn distance(p: Vec3, x: &[Vec3], faces: &[[u32; 3]]) -> f64 {
    let triangle = |f: &[u32; 3]| f.map(|v| x[v as usize].as_dvec3());
    faces.iter().map(|f| distance_to_triangle(p.as_dvec3(), triangle(f))).fold(f64::INFINITY, f64::min)
}

/// Pseudo-random numbers from -1 to 1.
pub fn unit(random: &mut Random) -> f32 {
    random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
}
/// Vector of three such numbers.
pub fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(unit(random), unit(random), unit(random))
}
