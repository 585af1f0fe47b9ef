//! The distance that a triangle offers to one of its vertices.
use ribbonmesh::device::Vec3;
use ribbonmesh::device::math::{fast_recip, sqrt};

/// A vertex of a triangle, seen from the vertex that asks.
#[derive(Clone, Copy)]
pub struct Corner {
    /// Where it is, from there.
    pub place: Vec3,
    /// Its distance from the source.
    pub distance: f32,
}

/// The distance through the side between `a` and `b`, or +∞ where no straight line passes it.
///
/// The triangle is unfolded into a plane with the *virtual source*, the point beyond the side that has the
/// distances of both its ends (Novotni and Klein, *Computing geodesic distances on triangular meshes*, 2002).
/// The line from there to the vertex has to cross the side. So distances in a plane are exact, where the
/// planar front of Kimmel and Sethian (1998) has an error near the source.
///
/// With the side along the x-axis, from `a` on, all lengths along it and across times its length: the source
/// is at (`foot`, −`depth`), the vertex at (`along`, `height`). What is added to the distance of `a` is
/// computed by itself, so that far from the source it keeps its digits.
#[inline(always)]
pub fn across(a: Corner, b: Corner) -> f32 {
    across_at(a, b).0
}

/// The same, and the part of the side, from `a` on, at which the line crosses it.
#[inline(always)]
pub fn across_at(a: Corner, b: Corner) -> (f32, f32) {
    let side = b.place - a.place;
    let square = side.dot(side);
    let (less, sum) = (a.distance - b.distance, a.distance + b.distance);
    // sixteen times the squared area of the triangle of a, b and the source (Heron)
    let area = (square - less * less) * (sum * sum - square);
    // not so where a distance is infinite, or one is so short that the other cannot belong to the same source
    let possible = area > 0.0;
    if !possible {
        return (f32::INFINITY, 0.0);
    }
    let (foot, depth) = (0.5 * (square + less * sum), 0.5 * sqrt(area));
    let normal = a.place.cross(b.place);
    let (along, height) = (-a.place.dot(side), sqrt(normal.dot(normal)));
    let (crossing, whole) = (foot * height + along * depth, square * (height + depth));
    let crosses = crossing >= 0.0 && crossing <= whole;
    if !crosses {
        return (f32::INFINITY, 0.0);
    }
    // squared distance less that of a
    let more = a.place.dot(a.place) - 2.0 * (foot * along - depth * height) * fast_recip(square);
    let distance = sqrt(a.distance * a.distance + more);
    (a.distance + more * fast_recip(distance + a.distance), crossing * fast_recip(whole))
}

/// Whether [`across`] may be less than `best`, at a glance. The points beyond the side that are nearer to the
/// vertex than to both its ends begin at the centre of the circumscribed circle, which is there where the
/// angle at the vertex is obtuse; else no line is shorter than the distance of the nearer end.
#[inline(always)]
pub fn may_shorten(a: Corner, b: Corner, best: f32) -> bool {
    a.distance.min(b.distance) < best || a.place.dot(b.place) < 0.0
}

/// The distance along the edge to `a`.
#[inline(always)]
pub fn along(a: Corner) -> f32 {
    a.distance + sqrt(a.place.dot(a.place))
}
