//! Costs of collapsing each edge.
use super::collapse::MOST_FACES;
use super::quadric::{Quadric, narrow, wide};
use super::select;
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, EdgeId, HalfEdge, In, Quad, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::kind::{CORNER, FREE};

/// Edges per block: one per thread, since walks around vertices wait for memory most of the time.
pub const EDGES: u32 = 256;

/// Strength with which a vertex is drawn to the middle of its edge where planes leave it free.
const TO_MIDDLE: f64 = 1e-8;
/// Greatest distance of a vertex from the middle of its edge, in lengths of the edge.
const REACH: f64 = 1.5;
/// Distance of planes, in lengths of the edge, that is added to the error, so that shorter edges come first
/// where the surface is flat.
const FLAT: f64 = 1e-3;

/// Computes the cost of each of `n` edges, and the point to which it would collapse: for edges with a face
/// that pass `since` has made, or for all edges if `since` is 0. Edges that this pass has rejected, by the
/// bits of `rejected`, get the sign; they lose it when a face around them is made. Faces are counted for
/// [`select`].
///
/// Each edge reads 12 bytes and a word of each of its faces; an edge that is priced reads 240 bytes more, and
/// writes 20. One block per [`EDGES`].
#[kernel(threads = 256)]
pub fn price<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    rejected: In<'a, u32>,
    values: Values<'a>,
    n: u32,
    since: u32,
) {
    let base = EDGES * block.index();
    let len = if n - base < EDGES { n - base } else { EDGES };
    let sides =
        block.reduce(len, 0, |i| priced(mesh, rejected, values, EdgeId::new(base + i), since), |a, b| a + b);
    block.single_nosync(|| {
        atomic::fetch_add(values.selection, select::SIDES, sides, Order::Relaxed, Scope::Device);
    });
}

/// Prices an edge if that is due; returns the number of its faces.
#[inline(always)]
fn priced(mesh: DynamicView<'_>, rejected: In<'_, u32>, values: Values<'_>, e: EdgeId, since: u32) -> u32 {
    let sides = mesh.sides(e);
    let before = values.cost.get(e);
    if sides == [None; 2] {
        if before != NEVER {
            values.cost.set(e, NEVER);
        }
        return 0;
    }
    let made = |h: Option<HalfEdge>| matches!(h, Some(h) if mesh.changed_in(h) == since);
    if since == 0 || made(sides[0]) || made(sides[1]) {
        let (cost, place) = collapse(mesh, values, e, sides);
        values.cost.set(e, cost);
        let [x, y, z] = place.to_array().map(f32::to_bits);
        values.place.set(e, Quad([x, y, z, 0]));
    } else if before & REJECTED != 0 || rejected.get(e.index() / 32) >> (e.index() % 32) & 1 != 0 {
        let again = changed_around(mesh, sides, since);
        values.cost.set(e, if again { before & !REJECTED } else { before | REJECTED });
    }
    sides[0].is_some() as u32 + sides[1].is_some() as u32
}

/// Whether pass `since` has made one of the faces at the ends of an edge; false if they are too many for a
/// collapse.
#[inline(always)]
fn changed_around(mesh: DynamicView<'_>, sides: [Option<HalfEdge>; 2], since: u32) -> bool {
    let Some(h) = sides[0].or(sides[1]) else { return false };
    let (mut faces, mut changed) = (0, false);
    let mut look = |g: HalfEdge| {
        faces += 1;
        changed |= mesh.changed_in(g) == since;
        faces <= MOST_FACES + 2
    };
    let shared = sides[0].is_some() as u32 + sides[1].is_some() as u32;
    let all = mesh.star(h, &mut look) && mesh.star(h.next(), &mut look);
    all && changed && faces <= MOST_FACES + shared
}

/// The cost of an edge, and the point of the vertex that replaces it.
#[inline(always)]
fn collapse(
    mesh: DynamicView<'_>,
    values: Values<'_>,
    e: EdgeId,
    sides: [Option<HalfEdge>; 2],
) -> (u32, Vec3) {
    let Some(h) = sides[0].or(sides[1]) else { return (NEVER, Vec3::ZERO) };
    let [a, b] = if sides[0].is_some() { [mesh.from(h), mesh.to(h)] } else { [mesh.to(h), mesh.from(h)] };
    let along = sides[0].is_none() || sides[1].is_none() || values.marks.get(e);
    let quadrics = || [a, b].map(|v| Quadric::load(values.quadrics, v));
    of_ends(
        [a, b].map(|v| values.x.get(v)),
        [a, b].map(|v| values.kind.get(v)),
        along,
        values.bound,
        quadrics,
    )
}

/// The bits of the cost of an edge with ends at these points and of these kinds, and the point of the vertex
/// that replaces it. `along`: whether the edge lies on a curve. `bound`: the largest distance from the planes
/// of the ends, if there is one, else infinity. The quadrics are those of the ends.
#[inline(always)]
pub fn of_ends(
    [x, y]: [Vec3; 2],
    [of_a, of_b]: [u32; 2],
    along: bool,
    bound: f32,
    quadrics: impl FnOnce() -> [Quadric; 2],
) -> (u32, Vec3) {
    let both = of_a != FREE && of_b != FREE;
    if both && (!along || of_a == CORNER && of_b == CORNER) {
        return (NEVER, x);
    }
    let middle = 0.5 * (wide(x) + wide(y));
    let (to_a, to_b) = (wide(x) - middle, wide(y) - middle);
    let [at_a, at_b] = quadrics();
    let q = at_a.moved(-to_a).plus(&at_b.moved(-to_b));
    let square = 4.0 * to_a.dot(to_a);
    let place = if of_a != of_b {
        // the end that stays
        if of_a > of_b { x } else { y }
    } else {
        lowest(&q, to_b, middle)
    };
    let error = error(&q, place, middle);
    let bound = bound as f64;
    if error > bound * bound * q.area {
        return (NEVER, place);
    }
    let cost = (error + flat(&q, square)) as f32;
    (if cost.is_finite() { cost.to_bits() } else { NEVER }, place)
}

/// The point at which the ends of a pair, middle − d and middle + d, are joined: the point of least error, if
/// that is not far from them, else the point of least error between them.
#[inline(always)]
pub(super) fn lowest(q: &Quadric, d: glam::DVec3, middle: glam::DVec3) -> Vec3 {
    let p = q.lowest(TO_MIDDLE);
    let square = 4.0 * d.dot(d);
    if p.dot(p) <= REACH * REACH * square { narrow(middle + p) } else { on_edge(q, d, middle) }
}
/// The error at a point, of a quadric around the middle.
#[inline(always)]
pub(super) fn error(q: &Quadric, place: Vec3, middle: glam::DVec3) -> f64 {
    let error = q.at(wide(place) - middle);
    if error > 0.0 { error } else { 0.0 }
}
/// The term that is added to the error, so that shorter edges come first where the surface is flat; for a
/// squared length.
#[inline(always)]
pub(super) fn flat(q: &Quadric, square: f64) -> f64 {
    FLAT * FLAT * square * q.area
}

/// The point of least error on an edge, from middle − d to middle + d.
#[inline(always)]
fn on_edge(q: &Quadric, d: glam::DVec3, middle: glam::DVec3) -> Vec3 {
    // error at t d: c + 2 t b·d + t² d·A d
    let (up, down) = (q.at(d), q.at(-d));
    let (slope, bend) = (0.5 * (up - down), up + down - 2.0 * q.c);
    let t = if bend > 0.0 { (-slope / bend).clamp(-1.0, 1.0) } else { 0.0 };
    narrow(middle + t * d)
}
