//! Directions at vertices: angles around each vertex, through its faces.
use super::ring::{BREAK, RingView};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, NONE, Out, Parameter, Vec2, Vec3, kernel};

/// Angles along the walk around each vertex, in radians, 0 at its first neighbour. They add up those of the faces, so that a
/// straight line through faces that share a vertex is one, however these are bent.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Bearings<'a> {
    /// For each entry of the ring: where the neighbour is, at the vertex.
    pub there: In<'a, f32>,
    /// For each entry: where the vertex is, at the neighbour. With a minus (−0 too) where the neighbour's walk goes
    /// round the other way; NaN where it has none.
    pub back: In<'a, f32>,
    /// For each vertex: the sum of all angles; +∞ where the walk is open, NaN where there is none.
    pub turns: In<'a, f32>,
}

/// Finds [`Bearings::there`] and [`Bearings::turns`].
#[kernel(threads = 256)]
pub fn directions<'a>(
    block: &Block,
    n: u32,
    ring: RingView<'a>,
    positions: In<'a, Vec3>,
    scale: f32,
    there: Out<'a, f32>,
    turns: Out<'a, f32>,
) {
    block.for_each_of_tile(n, |v| {
        let row = ring.rows.get(v);
        let here = positions.get(v) * scale;
        let mut before = Vec3::ZERO;
        let (mut first, mut last, mut angle) = (NONE, NONE, 0.0);
        let (mut linked, mut apart) = (false, false);
        ring.each(
            row as u32,
            (row >> 32) as u32,
            |u| positions.get(u) * scale - here,
            |at, entry, edge| {
                let u = entry & !BREAK;
                if linked {
                    let normal = before.cross(edge);
                    angle += Vec2::new(before.dot(edge), sqrt(normal.dot(normal))).to_angle();
                } else if first == NONE {
                    first = u;
                } else {
                    apart |= u != last;
                }
                there.set(at, angle);
                (before, last, linked) = (edge, u, entry & BREAK == 0);
            },
        );
        let walk = !apart && angle > 0.0;
        let turn = if first == last { angle } else { f32::INFINITY };
        turns.set(v, if walk { turn } else { f32::NAN });
    });
}

/// Finds [`Bearings::back`], given the others.
#[kernel(threads = 256)]
pub fn look_back<'a>(
    block: &Block,
    n: u32,
    ring: RingView<'a>,
    there: In<'a, f32>,
    turns: In<'a, f32>,
    back: Out<'a, f32>,
) {
    let entries = ring.entries.wide::<u32>();
    block.for_each_of_tile(n, |v| {
        let row = ring.rows.get(v);
        let (begin, quads) = (4 * row as u32, (row >> 32) as u32);
        let mut i = begin;
        while i < begin + 4 * quads {
            let entry = entries.get(i);
            let u = entry & !BREAK;
            // a face of both: that with the neighbour after, or before
            let (other, ahead) = if entry & BREAK == 0 {
                (entries.get(i + 1) & !BREAK, true)
            } else if i > begin && entries.get(i - 1) & BREAK == 0 {
                (entries.get(i - 1), false)
            } else {
                (NONE, false)
            };
            let walk = other != NONE && !turns.get(u).is_nan();
            back.set(i, if walk { bearing(ring, there, u, v, other, ahead) } else { f32::NAN });
            i += 1;
        }
    });
}

/// Where `v` is, at its neighbour `u`. In the walk around `v`, `other` comes after `u` if it is `ahead`, else before; in that
/// around `u` it comes before `v` and after it, or the walk goes round the other way.
#[inline(always)]
fn bearing(ring: RingView<'_>, there: In<'_, f32>, u: u32, v: u32, other: u32, ahead: bool) -> f32 {
    let entries = ring.entries.wide::<u32>();
    let row = ring.rows.get(u);
    let (begin, quads) = (4 * row as u32, (row >> 32) as u32);
    let mut found = f32::NAN;
    let (mut before, mut linked) = (NONE, false);
    let mut i = begin;
    while i < begin + 4 * quads {
        let entry = entries.get(i);
        let next = if entry & BREAK == 0 { entries.get(i + 1) & !BREAK } else { NONE };
        if entry & !BREAK == v {
            let (is_before, is_after) = (linked && before == other, next == other);
            if is_before || is_after {
                let along = if ahead { is_before } else { is_after };
                let angle = there.get(i);
                found = if along { angle } else { -angle };
            }
        }
        (before, linked) = (entry & !BREAK, entry & BREAK == 0);
        i += 1;
    }
    found
}
