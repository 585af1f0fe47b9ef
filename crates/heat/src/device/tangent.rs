//! Kernels of tangent planes: the angles of edges around each vertex, and how vectors turn along edges.
use super::carried::Planar;
use super::matrix::Rows;
use core::f64::consts::{PI, TAU};
use glam::DVec3;
use ribbonmesh::corners::{Corners, FlatMesh, after, before};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// The faces around each vertex of an oriented manifold, counterclockwise.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Fans<'a> {
    /// Three vertices for each face.
    pub faces: In<'a, u32>,
    /// The corner at which the side on the other side of each corner's side begins; itself at a boundary.
    pub ring: In<'a, u32>,
    /// The first corner of each vertex, `NONE` without faces.
    pub firsts: In<'a, u32>,
}
impl Fans<'_> {
    /// Runs `f` for the corners of a vertex in order; whether they close.
    #[inline(always)]
    pub fn for_each(&self, vertex: u32, f: impl FnMut(u32)) -> bool {
        walk(self.ring, self.firsts.get(vertex), f)
    }
    /// The vertices of a corner's face, beginning with that of the corner.
    #[inline(always)]
    pub fn face(&self, corner: u32) -> [u32; 3] {
        [corner, after(corner), before(corner)].map(|c| self.faces.get(c))
    }
}
/// Runs `f` for the corners of a vertex, counterclockwise from the first one on; whether they close.
#[inline(always)]
fn walk(ring: In<'_, u32>, first: u32, mut f: impl FnMut(u32)) -> bool {
    if first == NONE {
        return false;
    }
    let mut corner = first;
    loop {
        f(corner);
        let side = before(corner);
        corner = ring.get(side);
        if corner == side {
            return false;
        }
        if corner == first {
            return true;
        }
    }
}

/// The first corner of each vertex: the one at whose side a boundary is, or the least. `wrong` gets the least
/// vertex whose corners are not one fan. Sides of the same edge must run against each other, in pairs.
#[kernel(threads = 256, requires(firsts.len() >= count as usize && !wrong.is_empty()))]
pub fn find_fans<'a>(v: Each, mesh: FlatMesh<'a>, firsts: Out<'a, u32>, wrong: Out<'a, u32>) {
    let corners = mesh.corners.of(v);
    let (mut first, mut k) = (NONE, 0);
    while k < corners.count() {
        let corner = corners.place(k);
        let begins = mesh.ring.get(corner) == corner;
        first = if begins || first == NONE { corner } else { first };
        k += 1;
    }
    firsts.set(v, first);
    let mut walked = 0;
    walk(mesh.ring, first, |_| walked += 1);
    if walked != corners.count() {
        atomic::fetch_min(wrong, 0, v, Relaxed, Device);
    }
}

/// The place of a column in a row, whose columns ascend; `NONE` if it is not there.
#[inline(always)]
fn place(rows: Rows<'_>, row: u32, column: u32) -> u32 {
    let (mut low, mut high) = (rows.starts.get(row), rows.starts.get(row + 1));
    let end = high;
    while low < high {
        let middle = low + (high - low) / 2;
        if rows.columns.get(middle) < column {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if low < end && rows.columns.get(low) == column { low } else { NONE }
}

/// The angle of each entry's edge in the tangent plane of its row, counterclockwise from the vertex's first
/// edge on, 0 on the diagonal; and two directions at right angles that span the plane, the first as near to
/// that edge as the mean normal allows. Angles that close are scaled to a sum of 2π.
#[kernel(threads = 256, requires(
    fans.firsts.len() >= count as usize && rows.starts.len() > count as usize,
    angles.len() == rows.columns.len() && bases.len() >= 2 * count as usize,
))]
pub fn write_angles<'a>(
    v: Each,
    fans: Fans<'a>,
    positions: In<'a, DVec3>,
    rows: Rows<'a>,
    angles: Out<'a, f64>,
    bases: Out<'a, DVec3>,
) {
    let own = positions.get(v);
    let (mut total, mut normal, mut along, mut last) = (0.0, DVec3::ZERO, DVec3::X, NONE);
    let closed = fans.for_each(v, |corner| {
        let [_, b, c] = fans.face(corner);
        let (to_b, to_c) = (positions.get(b) - own, positions.get(c) - own);
        let across = to_b.cross(to_c);
        along = if last == NONE { to_b } else { along };
        angles.set(place(rows, v, b), total);
        total += libm::atan2(libm::sqrt(across.dot(across)), to_b.dot(to_c));
        normal += across;
        last = c;
    });
    if !closed && last != NONE {
        angles.set(place(rows, v, last), total);
    }
    let scale = if closed && total > 0.0 { TAU / total } else { 1.0 };
    let (mut k, end) = (rows.starts.get(v), rows.starts.get(v + 1));
    while k < end {
        let angle = if rows.columns.get(k) == v { 0.0 } else { scale * angles.get(k) };
        angles.set(k, angle);
        k += 1;
    }
    let normal = unit(normal, DVec3::Z);
    let first = unit(along - normal * normal.dot(along), normal.any_orthonormal_vector());
    bases.set(2 * v, first);
    bases.set(2 * v + 1, normal.cross(first));
}
/// The vector with length 1; `other` for one without a direction.
#[inline(always)]
pub fn unit(x: DVec3, other: DVec3) -> DVec3 {
    let by = 1.0 / libm::sqrt(x.dot(x));
    if by.is_finite() && by > 0.0 { x * by } else { other }
}

/// How vectors of the plane of each entry's column turn when they are carried to that of its row.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && angles.len() == rows.columns.len() && turns.len() == angles.len(),
))]
pub fn write_turns<'a>(v: Each, rows: Rows<'a>, angles: In<'a, f64>, turns: Out<'a, Planar>) {
    let (mut k, end) = (rows.starts.get(v), rows.starts.get(v + 1));
    while k < end {
        let w = rows.columns.get(k);
        let by = if w == v { 0.0 } else { angles.get(k) + PI - angles.get(place(rows, w, v)) };
        turns.set(k, [libm::cos(by), libm::sin(by)]);
        k += 1;
    }
}

/// How vectors of the plane of each vertex's root turn when they are carried to its own; a root is itself or
/// a neighbour.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && roots.len() >= count as usize && to.len() >= count as usize,
))]
pub fn turns_from_roots<'a>(
    v: Each,
    rows: Rows<'a>,
    turns: In<'a, Planar>,
    roots: In<'a, u32>,
    to: Out<'a, Planar>,
) {
    to.set(v, turns.get(place(rows, v, roots.get(v))));
}

/// The edge of each entry as a vector of its row's plane.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && angles.len() == rows.columns.len() && ways.len() == angles.len(),
))]
pub fn write_ways<'a>(
    v: Each,
    rows: Rows<'a>,
    angles: In<'a, f64>,
    positions: In<'a, DVec3>,
    ways: Out<'a, Planar>,
) {
    let (mut k, end, own) = (rows.starts.get(v), rows.starts.get(v + 1), positions.get(v));
    while k < end {
        let way = positions.get(rows.columns.get(k)) - own;
        let (angle, length) = (angles.get(k), libm::sqrt(way.dot(way)));
        ways.set(k, [length * libm::cos(angle), length * libm::sin(angle)]);
        k += 1;
    }
}

/// Of each two vertices the angle of their edge at the first one, that at the second one, and its length;
/// three numbers, not a number where they have no edge.
#[kernel(threads = 256, requires(ends.len() >= count as usize && to.len() >= 3 * count as usize))]
pub fn look_along<'a>(
    i: Each,
    rows: Rows<'a>,
    angles: In<'a, f64>,
    positions: In<'a, DVec3>,
    ends: In<'a, [u32; 2]>,
    to: Out<'a, f64>,
) {
    let [a, b] = ends.get(i);
    let (there, back) = (place(rows, a, b), place(rows, b, a));
    let found = a != b && there != NONE && back != NONE;
    let way = positions.get(b) - positions.get(a);
    to.set(3 * i, if found { angles.get(there) } else { f64::NAN });
    to.set(3 * i + 1, if found { angles.get(back) } else { f64::NAN });
    to.set(3 * i + 2, libm::sqrt(way.dot(way)));
}
