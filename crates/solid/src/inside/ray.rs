//! Exact test whether a ray crosses a triangle.
use crate::intersections::{Along, orientation, turn};
use glam::Vec3;

/// Whether the ray from `p` along +x crosses the edge between two points, seen along x: right of `p`, in the
/// direction of y.
#[inline(always)]
fn crosses_edge(p: Vec3, a: Vec3, b: Vec3) -> bool {
    if (a.z > p.z) == (b.z > p.z) {
        return false;
    }
    let (lower, upper) = if a.z < b.z { (a, b) } else { (b, a) };
    turn(Along::X, lower, upper, p) > 0
}

/// The crossing of the ray from `p` along +x with a triangle: 1 from behind, −1 from the front, 0 without a
/// crossing.
///
/// The ray begins at p + (ε, ε², ε³) for an ε that is smaller than every number: edges and planes through `p`
/// are on the side on which they are for that point. So the ray never meets an edge or a vertex, and crosses
/// the right ones of the triangles that share an edge.
#[inline(always)]
pub fn crossing(p: Vec3, [a, b, c]: [Vec3; 3]) -> i32 {
    let first = crosses_edge(p, a, b);
    let second = crosses_edge(p, b, c);
    let third = crosses_edge(p, c, a);
    if !(first ^ second ^ third) {
        return 0;
    }
    // the direction of the normal along x
    let out = turn(Along::X, a, b, c);
    if orientation(a, b, c, p) * out < 0 { out } else { 0 }
}
