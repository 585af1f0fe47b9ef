//! Test whether two triangles intersect.
//!
//! A triangle is the closed set between its corners: a segment or a point if the corners are on a line.
//! Corners of the two triangles with equal positions are *shared*. The triangles intersect if they have a
//! common point outside of the hull of the shared corners: without shared corners, any common point; with
//! one, a point other than the shared corner; with two, a point outside of the shared edge. They also
//! intersect if they have the same three corners.
//!
//! The common points are a convex set. Each of its corners is on an edge of one triangle and in the other
//! one. So it suffices to test edges against triangles, as in Guigue and Devillers, *Fast and Robust
//! Triangle-Triangle Overlap Test Using Orientation Predicates* (2003): all decisions are signs of
//! [`orientation`].
use crate::intersections::line::{ascending, extends, segments};
use crate::intersections::plane::{Triangle, orientation};
use glam::Vec3;

/// An axis along which points are projected to the coordinate plane of the other two, in cyclic order: along
/// y to (z, x).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// The axis x, for a projection to (y, z).
    X,
    /// The axis y, for a projection to (z, x).
    Y,
    /// The axis z, for a projection to (x, y).
    Z,
}

/// The orientation of three points of finite coordinates, projected: 1 if they turn counterclockwise, −1
/// clockwise, 0 if they are on a line. Exact.
#[inline(never)]
pub fn turn(along: Along, a: Vec3, b: Vec3, c: Vec3) -> i32 {
    let flat = |p: Vec3, height: f32| match along {
        Along::X => Vec3::new(p.y, p.z, height),
        Along::Y => Vec3::new(p.z, p.x, height),
        Along::Z => Vec3::new(p.x, p.y, height),
    };
    orientation(flat(a, 0.0), flat(b, 0.0), flat(c, 0.0), flat(a, 1.0))
}

/// An axis along which the projections of three points are not on a line; `None` if the points are on a line.
pub fn projection([a, b, c]: [Vec3; 3]) -> Option<Along> {
    [Along::X, Along::Y, Along::Z].into_iter().find(|&along| turn(along, a, b, c) != 0)
}

/// The corners of the second triangle that the first one has, too, as bits.
#[inline(always)]
fn shared(of: &[Vec3; 3], by: &[Vec3; 3]) -> u32 {
    let bit = |p: Vec3| (p == by[0] || p == by[1] || p == by[2]) as u32;
    bit(of[0]) | bit(of[1]) << 1 | bit(of[2]) << 2
}

/// Whether the corners of a triangle that are not shared are all strictly on one side of the plane of `a`;
/// false without such corners. Then the plane meets the triangle in the hull of the shared corners.
#[inline(always)]
fn aside(a: &Triangle, corners: &[Vec3; 3], shared: u32) -> bool {
    let (mut any, mut side, mut i) = (false, 0, 0);
    while i < 3 {
        if shared >> i & 1 == 0 {
            let here = a.side(corners[i]);
            if here == 0 || (any && here != side) {
                return false;
            }
            (any, side) = (true, here);
        }
        i += 1;
    }
    any
}

/// Whether two triangles intersect, exactly. Most pairs of neighbours are decided by one or two signs.
#[inline(always)]
pub fn intersect(a: &Triangle, corners: [Vec3; 3]) -> bool {
    let in_b = shared(&corners, &a.corners);
    !aside(a, &corners, in_b) && beyond(a, corners, in_b)
}

/// As [`intersect`], for a second triangle that is not on one side of the plane of the first one.
#[inline(never)]
fn beyond(a: &Triangle, corners: [Vec3; 3], in_b: u32) -> bool {
    let (b, in_a) = (Triangle::new(corners), shared(&a.corners, &corners));
    !aside(&b, &a.corners, in_a) && undecided(a, &b, in_a, in_b)
}

/// As [`intersect`], for triangles of which neither is on one side of the other one's plane.
#[inline(never)]
fn undecided(a: &Triangle, b: &Triangle, in_a: u32, in_b: u32) -> bool {
    let distinct = |&[p, q, r]: &[Vec3; 3]| p != q && q != r && r != p;
    if in_a == 7 && in_b == 7 && distinct(&a.corners) && distinct(&b.corners) {
        return true;
    }
    match (projection(a.corners), projection(b.corners)) {
        (Some(along_a), Some(along_b)) => regular([a, b], [along_a, along_b], [in_a, in_b]),
        (None, of_b) => on_a_line(a, b, of_b, in_a),
        (of_a, None) => on_a_line(b, a, of_a, in_b),
    }
}

/// As [`intersect`], for two triangles with area that do not have the same corners.
fn regular([a, b]: [&Triangle; 2], [along_a, along_b]: [Along; 2], [in_a, in_b]: [u32; 2]) -> bool {
    match in_a.count_ones() {
        0 => edges_meet(a, b, along_b) || edges_meet(b, a, along_a),
        1 => {
            // a further common point is on a ray from the shared corner; the ray leaves one triangle first,
            // through the edge opposite
            let (i, j) = (in_a.trailing_zeros() as usize, in_b.trailing_zeros() as usize);
            let [p, q] = others(&a.corners, i);
            let [r, s] = others(&b.corners, j);
            segment_meets(p, q, b, along_b) || segment_meets(r, s, a, along_a)
        }
        // in one plane; otherwise a third corner would be on one side
        _ => {
            let (i, j) = ((!in_a & 7).trailing_zeros() as usize, (!in_b & 7).trailing_zeros() as usize);
            let [p, q] = others(&a.corners, i);
            turn(along_a, p, q, a.corners[i]) == turn(along_a, p, q, b.corners[j])
        }
    }
}

/// The corners after corner `i`.
fn others(corners: &[Vec3; 3], i: usize) -> [Vec3; 2] {
    [corners[(i + 1) % 3], corners[(i + 2) % 3]]
}

/// Whether an edge of `a` and `b`, which has area, have a common point.
fn edges_meet(a: &Triangle, b: &Triangle, along_b: Along) -> bool {
    let [p, q, r] = a.corners;
    segment_meets(p, q, b, along_b) || segment_meets(q, r, b, along_b) || segment_meets(r, p, b, along_b)
}

/// Whether a segment and a triangle with area have a common point. The segment may be a point.
#[inline(never)]
pub fn segment_meets(p: Vec3, q: Vec3, t: &Triangle, along: Along) -> bool {
    let [a, b, c] = t.corners;
    let (of_p, of_q) = (t.side(p), t.side(q));
    if of_p * of_q > 0 {
        return false;
    }
    if of_p == 0 && of_q == 0 {
        return segment_meets_flat(p, q, t, along);
    }
    // the line of the segment crosses the plane: inside, if it passes all edges on the same side
    let first = orientation(p, q, a, b);
    let second = orientation(p, q, b, c);
    if first * second < 0 {
        return false;
    }
    let third = orientation(p, q, c, a);
    first * third >= 0 && second * third >= 0
}

/// As [`segment_meets`], for a segment in the triangle's plane: true unless the line of an edge or of the
/// segment separates them.
fn segment_meets_flat(p: Vec3, q: Vec3, t: &Triangle, along: Along) -> bool {
    let [a, b, c] = t.corners;
    let inside = turn(along, a, b, c);
    let outside =
        |from: Vec3, to: Vec3| turn(along, from, to, p) * inside < 0 && turn(along, from, to, q) * inside < 0;
    if outside(a, b) || outside(b, c) || outside(c, a) {
        return false;
    }
    let of = turn(along, p, q, a);
    of == 0 || turn(along, p, q, b) != of || turn(along, p, q, c) != of
}

/// As [`intersect`], for a triangle `s` whose corners are on a line, and any other one.
fn on_a_line(s: &Triangle, t: &Triangle, of_t: Option<Along>, in_s: u32) -> bool {
    let [low, _, high] = ascending(s.corners);
    let ends = ascending(t.corners);
    if in_s == 0 {
        return match of_t {
            Some(along) => segment_meets(low, high, t, along),
            None => segments([low, high], [ends[0], ends[2]]),
        };
    }
    // the hull of the shared corners, from the first to the last; does `t` extend beyond it?
    let (mut first, mut last) = (high, low);
    for i in 0..3 {
        if in_s >> i & 1 == 1 {
            let p = s.corners[i];
            first = ascending([first, p, p])[0];
            last = ascending([last, p, p])[2];
        }
    }
    (first != low && extends(first, low, t, of_t)) || (last != high && extends(last, high, t, of_t))
}
