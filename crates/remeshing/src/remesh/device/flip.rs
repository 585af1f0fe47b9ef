//! Flipping edges for better valences.
use super::values::*;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Each, Edge, EdgeId, Out, Parameter, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::fillings::{Flipped, flip};
use ribbonmesh::dynamic::templates::FacesOfEdge;
use ribbonmesh::dynamic::{Cavity, DynamicView, Fill, Filled, MeshRef, Operator, Rejection, operator};
use ribbonmesh::features::triangle::{SLIVER as DEGENERATE, normal, not_delaunay, quality, within};

/// Least cosine between the normal of a new face and the common normal of the two old ones.
const TURN: f32 = 0.8;
/// A face below this quality must not be worse than those before.
const GOOD: f32 = 0.3;

/// Least excess of the sum of two opposite angles over 180°, as a sine, for which an edge is flipped.
const BEYOND: f32 = 0.02;

/// Quality below which a face has its edge flipped whatever the valences become, where features are kept, ...
const POOR: f32 = 0.2;
/// ... if the worse one of the new faces is better by this factor.
const BETTER: f32 = 1.5;
/// The priority of such a flip: above those of valences.
const FIRST: f32 = 64.0;

/// Greatest distance of the two diagonals, in target lengths, where features are kept.
const APART: f32 = 0.05;

/// Excess of valence from which on a vertex need not be claimed. At most half of its edges are flipped in a
/// round, since two that follow each other have a face in common, and each of these flips still is a gain.
/// Flips one after the other would take as many rounds as the vertex has edges.
const CROWDED_FROM: i32 = 58;

/// The best valence of an inner vertex, from which the excess is counted.
const BEST: u32 = 6;

/// The excess of each vertex before any edge is counted.
pub const NO_EDGES: u32 = 0u32.wrapping_sub(BEST);

/// Adds the `n` edges to the excess of their vertices, which begins as [`NO_EDGES`]: 1 for each edge, and 1
/// more for each boundary edge, because the best valence of a boundary vertex is less by 2.
#[kernel(threads = 256)]
pub fn count_excess<'a>(e: Each, mesh: DynamicView<'a>, excess: ValuesMut<'a, Vertex, u32>) {
    if let Some(diamond) = mesh.diamond(EdgeId::new(e)) {
        let by = if diamond.on_boundary() { 2 } else { 1 };
        let [a, b] = diamond.ends();
        atomic::fetch_add(excess.memory(), a.index(), by, Order::Relaxed, Scope::Device);
        atomic::fetch_add(excess.memory(), b.index(), by, Order::Relaxed, Scope::Device);
    }
}

/// Sets the first `n` words to `value`.
#[kernel(threads = 256)]
pub fn set_words<'a>(i: Each, words: Out<'a, u32>, value: u32) {
    words.set(i, value);
}

/// Flips edges where that brings the valences of the four vertices closer to 6, or 4 on the boundary, in the
/// sum of squares, the greatest gain first. Also flips edges that are not Delaunay if the sum stays the same.
/// Edges of curves are not flipped, nor edges where a face would turn or become a sliver. Where features are
/// kept ([`SHARP`]), flips that rid the mesh of a poor face come first, whatever the valences become, and
/// flips that change the surface much are rejected.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Flip<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

impl Flip<'_> {
    /// Whether a flip of the edge a b removes a poor face, in most cases a cap.
    #[inline(always)]
    fn rids(&self, corners: [VertexId; 4]) -> bool {
        let [a, b, c, d] = corners.map(|u| self.values.x.get(u));
        let of = |t: [_; 3]| quality(t, normal(t));
        let before = of([b, c, a]).min(of([a, d, b]));
        before < POOR && of([c, a, d]).min(of([d, b, c])) > BETTER * before
    }
    /// The reason, if there is one, why the edge a b with faces b c a and a d b may not be flipped.
    #[inline(always)]
    fn check(&self, corners: [VertexId; 4]) -> Result<(), Rejection> {
        let [_, _, c, d] = corners;
        if self.values.is_barred(c, NO_FLIP) && self.values.is_barred(d, NO_FLIP) {
            return Err(INTERSECTS);
        }
        let [a, b, c, d] = corners.map(|u| self.values.x.get(u));
        let [old, new] = [[[b, c, a], [a, d, b]], [[c, a, d], [d, b, c]]];
        let (n, m) = (old.map(normal), new.map(normal));
        let least = |t: [[_; 3]; 2], n: [_; 2]| quality(t[0], n[0]).min(quality(t[1], n[1]));
        let (before, after) = (least(old, n), least(new, m));
        if self.values.has(SHARP) {
            // the distance between the two diagonals
            let n = (b - a).cross(d - c);
            let (height, target) = (n.dot(c - a).abs(), self.values.target(corners[0], corners[1]));
            if height > APART * target * sqrt(n.length_squared()) {
                return Err(TURNS);
            }
        }
        let degenerate = after < DEGENERATE && !(self.values.has(SHARP) && after > before);
        if after < GOOD && after < before || degenerate {
            return Err(SLIVER);
        }
        let sum = n[0] + n[1];
        if !within(m[0], sum, TURN) || !within(m[1], sum, TURN) {
            return Err(TURNS);
        }
        Ok(())
    }
}

#[operator(seed = Edge, cavity = FacesOfEdge, in_place)]
impl Operator for Flip<'_> {
    /// The vertices of the loop whose valences other flips may change, too, as bits by their place.
    type Decision = u32;
    type Made = Flipped;

    // not local: a flip changes the excess of vertices that have other edges outside of the cavity
    fn priority(&self, mesh: impl MeshRef, seed: EdgeId) -> Option<f32> {
        let v = &self.values;
        let diamond = mesh.diamond(seed)?;
        if diamond.on_boundary() || v.marks.get(seed) {
            return None;
        }
        let excess = |u: VertexId| v.excess.get(u) as i32;
        let corners = diamond.corners()?;
        let [a, b, c, d] = corners;
        if v.has(SHARP) && self.rids(corners) {
            return Some(FIRST);
        }
        // half of the decrease of the sum of squares
        let gain = excess(a) + excess(b) - excess(c) - excess(d) - 2;
        if gain > 0 {
            Some(gain as f32)
        } else if gain == 0 && not_delaunay(corners.map(|u| v.x.get(u)), BEYOND) {
            Some(0.5)
        } else {
            None
        }
    }
    fn precheck(&self, mesh: impl MeshRef, seed: EdgeId) -> Result<(), Rejection> {
        let corners = mesh.diamond(seed).and_then(|diamond| diamond.corners());
        corners.map_or(Ok(()), |corners| self.check(corners))
    }
    fn decide(&self, _: impl MeshRef, cavity: &Cavity<'_, Edge>) -> Result<u32, Rejection> {
        let (mut crowded, mut i) = (0, 0);
        while i < cavity.len() {
            let many = self.values.excess.get(cavity.vertex(i)) as i32 > CROWDED_FROM;
            crowded |= (many as u32) << (i & 31);
            i += 1;
        }
        Ok(crowded)
    }
    fn fill(cavity: &Cavity<'_, Edge>, crowded: &u32, fill: &mut impl Fill) -> Result<Flipped, Rejection> {
        let mut i = 0;
        while i < cavity.len() {
            // so that no other flip of the round relies on the same valence
            if *crowded >> (i & 31) & 1 == 0 {
                fill.exclusive(cavity.vertex(i));
            }
            i += 1;
        }
        flip(cavity, fill)
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, _: &u32, _: (), made: &Flipped) {
        let v = &self.values;
        if v.marks.some() {
            v.marks.set(cavity.edge_of(made.edge), false);
        }
        let add = |i: u32, by: u32| {
            // other flips may change a crowded vertex at the same time
            let u = cavity.vertex(i).index();
            atomic::fetch_add(v.excess.memory(), u, by, Order::Relaxed, Scope::Device);
        };
        add(0, 1u32.wrapping_neg());
        add(1, 1);
        add(2, 1u32.wrapping_neg());
        add(3, 1);
    }
}
