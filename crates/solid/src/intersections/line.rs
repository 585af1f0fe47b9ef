//! Segments, and triangles whose corners are on a line.
//!
//! Points on a line are ordered by their first coordinate; if that is equal, by the next one.
use crate::intersections::pair::{Along, projection, turn};
use crate::intersections::plane::{Triangle, orientation};
use glam::Vec3;

/// Whether `p` comes before `q` in the order of coordinates.
fn before(p: Vec3, q: Vec3) -> bool {
    p.x < q.x || (p.x == q.x && (p.y < q.y || (p.y == q.y && p.z < q.z)))
}

/// Three points in the order of their coordinates.
pub fn ascending([a, b, c]: [Vec3; 3]) -> [Vec3; 3] {
    let (a, b) = if before(b, a) { (b, a) } else { (a, b) };
    let (b, c) = if before(c, b) { (c, b) } else { (b, c) };
    let (a, b) = if before(b, a) { (b, a) } else { (a, b) };
    [a, b, c]
}

/// Whether two segments, each from its lower end to its higher one, have a common point. They may be points.
pub fn segments([p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) -> bool {
    if orientation(p, q, r, s) != 0 {
        return false;
    }
    // a projection in which they are not on a line
    let three = [[p, q, r], [p, q, s], [p, r, s], [q, r, s]];
    match three.into_iter().find_map(projection) {
        Some(along) => {
            turn(along, p, q, r) * turn(along, p, q, s) <= 0
                && turn(along, r, s, p) * turn(along, r, s, q) <= 0
        }
        None => !before(q, r) && !before(s, p),
    }
}

/// Whether `t` has points on the segment from its corner `from` to another point `to`, other than `from`.
pub fn extends(from: Vec3, to: Vec3, t: &Triangle, of_t: Option<Along>) -> bool {
    let Some(along) = of_t else {
        let [low, _, high] = ascending(t.corners);
        // on the line of `t`, and on the side to which `t` extends
        return projection([low, high, to]).is_none()
            && if before(to, from) { before(low, from) } else { before(from, high) };
    };
    if t.side(to) != 0 {
        return false;
    }
    let [a, b, c] = t.corners;
    let (next, previous) = if from == a {
        (b, c)
    } else if from == b {
        (c, a)
    } else {
        (a, b)
    };
    let inside = turn(along, a, b, c);
    turn(along, from, next, to) * inside >= 0 && turn(along, from, to, previous) * inside >= 0
}
