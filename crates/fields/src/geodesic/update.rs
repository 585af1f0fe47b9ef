//! The distance that a triangle offers to one of its vertices.
use ribbonmesh::device::Vec3;
use ribbonmesh::device::math::{fast_recip, sqrt};

/// A vertex of a triangle, seen from the vertex to which the triangle offers a distance.
#[derive(Clone, Copy)]
pub struct Corner {
    /// Its position relative to that vertex.
    pub place: Vec3,
    /// Its distance from the source.
    pub distance: f32,
}

/// The distance through the side between `a` and `b`, or +∞ if no straight line passes it.
///
/// The triangle is unfolded into a plane with the *virtual source*, the point beyond the side that has the
/// distances of both its ends (Novotni and Klein, *Computing geodesic distances on triangular meshes*, 2002).
/// The line from there to the vertex has to cross the side. Distances in a plane are therefore exact; the
/// planar front of Kimmel and Sethian (1998) has an error near the source.
///
/// Coordinates have the side along the x-axis, from `a` on; all lengths are multiplied by the side's length.
/// The source is at (`foot`, −`depth`), the vertex at (`along`, `height`). The increase over the distance of
/// `a` is computed separately, so that it keeps its digits far from the source.
#[inline(always)]
pub fn across(a: Corner, b: Corner) -> f32 {
    across_at(a, b).0
}

/// As [`across`], and the part of the side, from `a` on, at which the line crosses it.
#[inline(always)]
pub fn across_at(a: Corner, b: Corner) -> (f32, f32) {
    let side = b.place - a.place;
    let square = side.dot(side);
    let (less, sum) = (a.distance - b.distance, a.distance + b.distance);
    // sixteen times the squared area of the triangle of a, b and the source (Heron)
    let area = (square - less * less) * (sum * sum - square);
    // false if a distance is infinite, or if the two differ by more than the side's length
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
    // squared distance minus that of a
    let more = a.place.dot(a.place) - 2.0 * (foot * along - depth * height) * fast_recip(square);
    let distance = sqrt(a.distance * a.distance + more);
    (a.distance + more * fast_recip(distance + a.distance), crossing * fast_recip(whole))
}

/// Quick test whether [`across`] may be less than `best`. The points beyond the side that are nearer to the
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

/// Direction from which the front reaches a point of the plane.
#[derive(Clone, Copy)]
pub struct Way {
    distance: f32,
    /// 1 if through the first side, 2 if through the second, 0 if along the vertex between.
    pub side: u32,
    /// Where it crosses that side.
    pub point: Vec3,
}

/// The direction from which the front reaches `point`, on the side between the first and the last of these
/// vertices, through the face beyond, whose third vertex is the second. If it comes along an edge, the line
/// continues around the end of the side at which that edge ends.
#[inline(always)]
pub fn way([right, node, left]: [Corner; 3], point: Vec3) -> Way {
    let seen = |corner: Corner| Corner { place: corner.place - point, ..corner };
    let (r, n, l) = (seen(right), seen(node), seen(left));
    let mut way = Way { distance: along(n), side: 0, point };
    if along(r) < way.distance {
        way = Way { distance: along(r), side: 1, point: right.place };
    }
    if along(l) < way.distance {
        way = Way { distance: along(l), side: 2, point: left.place };
    }
    let (distance, part) = across_at(r, n);
    if distance < way.distance {
        way = Way { distance, side: 1, point: right.place + (node.place - right.place) * part };
    }
    let (distance, part) = across_at(n, l);
    if distance < way.distance {
        way = Way { distance, side: 2, point: node.place + (left.place - node.place) * part };
    }
    way
}
