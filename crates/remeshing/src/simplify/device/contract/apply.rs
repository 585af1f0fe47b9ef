//! Contracting the pairs of a round.
use super::{Around, around};
use crate::simplify::device::quadric::{Quadric, Record, wide};
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, Edge, In, Out, Parameter, Quad, Values, ValuesMut, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::kind::FREE;

/// Count: pairs that were contracted.
pub const CONTRACTED: u32 = 0;
/// Count: of these, pairs without an edge.
pub const APART: u32 = 1;
/// Count: faces that cancelled each other.
pub const CANCELLED: u32 = 2;
/// Count: faces that became one with an equal one.
pub const MERGED: u32 = 3;
/// Number of counts.
pub const COUNTS: u32 = 4;

/// Pairs, and which of them are to be contracted.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Winners<'a> {
    /// All pairs; the first are edges.
    pub pairs: In<'a, [u32; 2]>,
    /// Number of pairs that are edges.
    pub edges: u32,
    /// The point to which each pair is contracted.
    pub places: In<'a, Quad>,
    /// The pairs in the order of their costs.
    pub order: In<'a, u32>,
    /// The pairs that come first around their ends, as indices into that order.
    pub winners: In<'a, u32>,
    /// Number of faces that the winners before each winner remove.
    pub before: In<'a, u32>,
    /// Number of faces that may be removed before the last winner.
    pub room: u32,
}

/// The arrays that contraction changes. A pair writes only at its ends and the faces at them, which no other
/// pair of the round reads.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Mutable<'a> {
    /// Positions.
    pub x: Out<'a, Vec3>,
    /// Quadrics.
    pub quadrics: Out<'a, Record>,
    /// Kinds of vertices.
    pub kinds: Out<'a, u32>,
    /// A vertex of the input for each vertex.
    pub inputs: Out<'a, u32>,
    /// Three vertices for each face.
    pub faces: Out<'a, u32>,
    /// 1 for each face, 0 for those that vanish.
    pub kept: Out<'a, u32>,
    /// See [`COUNTS`].
    pub counts: Out<'a, u32>,
}

/// Contracts pairs: the first end of a pair replaces both. Faces that have both ends vanish; of two faces on
/// the same vertices one vanishes, or both if their orientations are opposite. Blocks: tiles of the winners.
#[kernel(threads = 256)]
pub fn contract_pairs<'a>(block: &Block, s: Winners<'a>, corners: GroupsView<'a>, m: Mutable<'a>) {
    block.for_each_of_tile(s.winners.len() as u32, |i| {
        if s.before.get(i) >= s.room {
            return;
        }
        let pair = s.order.get(s.winners.get(i));
        let [a, b] = s.pairs.get(pair);
        let add = |count: u32, n: u32| {
            if n > 0 {
                atomic::fetch_add(m.counts, count, n, Relaxed, Device);
            }
        };
        add(CONTRACTED, 1);
        add(APART, (pair >= s.edges) as u32);
        let (cancelled, merged) = join_faces(corners, m, a, b);
        add(CANCELLED, cancelled);
        add(MERGED, merged);

        let Quad([x, y, z, _]) = s.places.get(pair);
        let place = Vec3::from_array([x, y, z].map(f32::from_bits));
        let p = wide(place);
        let (to_a, to_b) = (p - wide(m.x.get(a)), p - wide(m.x.get(b)));
        let at = |v: u32| Quadric::load(ValuesMut::new(m.quadrics), ribbonmesh::device::VertexId::new(v));
        at(a).moved(to_a).plus(&at(b).moved(to_b)).write(m.quadrics, a);
        m.x.set(a, place);
        if to_b.dot(to_b) < to_a.dot(to_a) {
            m.inputs.set(a, m.inputs.get(b));
        }
        let (of_a, of_b) = (m.kinds.get(a), m.kinds.get(b));
        m.kinds.set(a, if of_b > of_a { of_b } else { of_a });
    });
}

/// Gives the faces at `b` to `a`. Returns how many cancelled each other, and how many became one with an
/// equal one.
#[inline(always)]
fn join_faces(corners: GroupsView<'_>, m: Mutable<'_>, a: u32, b: u32) -> (u32, u32) {
    let at = |i: u32| around(corners.places.get(i), |c| m.faces.get(c));
    let range = |v: u32| (corners.starts.get(v), corners.starts.get(v + 1));
    let vanish = |face: Around| m.kept.set(face.face, 0);
    let (mut i, end) = range(a);
    let (mut cancelled, mut merged) = (0, 0);
    while i < end {
        let face = at(i);
        i += 1;
        if face.has(b) {
            vanish(face);
            continue;
        }
        let (mut j, last) = range(b);
        while j < last {
            let other = at(j);
            j += 1;
            if m.kept.get(other.face) == 0 || m.kept.get(face.face) == 0 {
                continue;
            }
            if face.opposes(&other) {
                vanish(face);
                vanish(other);
                cancelled += 2;
            } else if face.equals(&other) {
                vanish(other);
                merged += 1;
            }
        }
    }
    let (mut j, last) = range(b);
    while j < last {
        m.faces.set(corners.places.get(j), a);
        j += 1;
    }
    (cancelled, merged)
}

/// Computes the mean squared distance from the planes of each vertex. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mean_errors<'a>(block: &Block, quadrics: In<'a, Record>, errors: Out<'a, f32>) {
    block.for_each_of_tile(errors.len() as u32, |v| {
        let q = Quadric::read(quadrics, v);
        errors.set(v, if q.area > 0.0 && q.c > 0.0 { (q.c / q.area) as f32 } else { 0.0 });
    });
}

/// Marks each of `n` edges that joins two vertices of curves. Edges between two curves are marked, too: both
/// sides of such an edge get the same values, since they are looked up in the same surroundings. Blocks:
/// tiles.
#[kernel(threads = 256)]
pub fn mark_between<'a>(
    e: Each,
    mesh: DynamicView<'a>,
    kinds: Values<'a, ribbonmesh::device::Vertex, u32>,
    marks: ValuesMut<'a, Edge, u32>,
) {
    let e = ribbonmesh::device::EdgeId::new(e);
    let [g, h] = mesh.sides(e);
    if let Some(h) = g.or(h) {
        let of_curve = kinds.get(mesh.from(h)) != FREE && kinds.get(mesh.to(h)) != FREE;
        marks.set(e, of_curve as u32);
    }
}
