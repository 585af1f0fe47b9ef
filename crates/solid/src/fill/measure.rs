//! Measures of a boundary loop and the surface beside it, the same on all machines.
use crate::fill::number::{cross, distance, dot, scaled, times, unit};
use glam::DVec3;
use ribbonmesh::device::bytemuck::{Pod, Zeroable};

/// Measures of a boundary loop.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[bytemuck(crate = "ribbonmesh::device::bytemuck")]
pub struct Measures {
    /// Its length.
    pub length: f64,
    /// The least coordinates.
    pub low: DVec3,
    /// The greatest coordinates.
    pub high: DVec3,
    /// Half the sum of the cross products along it: its area, in the direction of its normal.
    pub area: DVec3,
    /// Mean, by length, of the unit vectors in which the surface ends at each side: in the plane of the face,
    /// perpendicular to the side.
    pub ends: DVec3,
    /// Mean, by length, of the cosines between these vectors and the directions out of the loop: 1 where the
    /// surface is inside of it, as at the border of a sheet; -1 where it is outside, as around a hole in a
    /// sheet; 0 at the end of a tube.
    pub inside: f64,
    /// Mean of its vertices.
    pub middle: DVec3,
    /// Mean length of the edges of the faces across its sides.
    pub edges: f64,
}

/// The length of a loop of `n` points.
#[inline(always)]
pub(crate) fn perimeter(n: u32, point: impl Fn(u32) -> DVec3) -> f64 {
    let (mut length, mut i) = (0.0, 0);
    while i < n {
        length += distance(point(i), point(after(i, n)));
        i += 1;
    }
    length
}
/// [`Measures::area`] of a loop of `n` points.
#[inline(always)]
pub(crate) fn vector_area(n: u32, point: impl Fn(u32) -> DVec3) -> DVec3 {
    if n == 0 {
        return DVec3::ZERO;
    }
    let origin = point(0);
    let (mut twice, mut i) = (DVec3::ZERO, 0);
    while i < n {
        twice += cross(point(i) - origin, point(after(i, n)) - origin);
        i += 1;
    }
    scaled(twice, 0.5)
}
/// The place after another one in a loop of `n`.
#[inline(always)]
pub(crate) fn after(i: u32, n: u32) -> u32 {
    if i + 1 < n { i + 1 } else { 0 }
}

/// Measures a loop of `n` points; `across` gives the corners of the face across the side from each point to
/// the next.
#[inline(always)]
pub(crate) fn measures(n: u32, point: impl Fn(u32) -> DVec3, across: impl Fn(u32) -> [DVec3; 3]) -> Measures {
    let (length, area) = (perimeter(n, &point), vector_area(n, &point));
    let normal = unit(area);
    let (mut ends, mut inside, mut edges, mut sum) = (DVec3::ZERO, 0.0, 0.0, DVec3::ZERO);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut i = 0;
    while i < n {
        let (a, b, [p, q, r]) = (point(i), point(after(i, n)), across(i));
        (low, high, sum) = (low.min(a), high.max(a), sum + a);
        edges += (distance(p, q) + distance(q, r) + distance(r, p)) / (3 * n) as f64;
        let third = p + q + r - a - b;
        let along = unit(b - a);
        let way = a - third;
        let end = scaled(unit(way - scaled(along, dot(way, along))), distance(a, b));
        ends += end;
        inside += dot(end, cross(along, normal));
        i += 1;
    }
    let by_length = 1.0 / length.max(f64::MIN_POSITIVE);
    Measures {
        length,
        low,
        high,
        area,
        ends: scaled(ends, by_length),
        inside: times(inside, by_length),
        middle: sum / if n > 0 { n as f64 } else { 1.0 },
        edges,
    }
}
