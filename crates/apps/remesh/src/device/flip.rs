//! Flipping edges for better valences.
use super::values::*;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, ElementKind, NONE, Out, Parameter, kernel};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, Refusal, operators, templates};
use ribbonmesh_features::Marking;
use ribbonmesh_features::triangle::{SLIVER as DEGENERATE, normal, not_delaunay, quality, within};

/// Faces may look this far, as a cosine, from where the two looked together.
const TURN: f32 = 0.8;
/// A face below this quality must not be worse than those before.
const GOOD: f32 = 0.3;

/// How far beyond 180° angles add up before an edge is flipped for their sake: a sine.
const BEYOND: f32 = 0.02;

/// What the best valence is counted from.
const BEST: u32 = 6;

/// The excess of each vertex before any edge is counted.
pub const NO_EDGES: u32 = 0u32.wrapping_sub(BEST);

/// Adds the `n` edges to the excess of their vertices, which begins as [`NO_EDGES`]: one for each, and one more for
/// each on the boundary, where the best valence is less by 2.
#[kernel(threads = 256)]
pub fn count_excess<'a>(block: &Block, mesh: DynamicView<'a>, n: u32, excess: Out<'a, u32>) {
    block.for_each_of_tile(n, |e| {
        let sides = mesh.sides(e);
        if sides != [NONE; 2] {
            let by = if sides[0] == NONE || sides[1] == NONE { 2 } else { 1 };
            let [a, b] = mesh.ends_of(sides);
            atomic::fetch_add(excess, a, by, Order::Relaxed, Scope::Device);
            atomic::fetch_add(excess, b, by, Order::Relaxed, Scope::Device);
        }
    });
}

/// Sets the first `n` words.
#[kernel(threads = 256)]
pub fn set_words<'a>(block: &Block, words: Out<'a, u32>, n: u32, value: u32) {
    block.for_each_of_tile(n, |i| words.set(i, value));
}

/// Flips edges where that brings the valences of the four vertices closer to 6, or 4 on the boundary, in the sum of
/// squares, the greatest gain first; and where it leaves that sum as it is, but the edge is not Delaunay. Not edges of
/// curves, nor where a face would turn or become a sliver.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Flip<'a>(pub Values<'a>);

impl Flip<'_> {
    /// Why not, if there is a reason: edge a b, with faces b c a and a d b.
    #[inline(always)]
    fn forbidden(&self, corners: [u32; 4]) -> Option<Refusal> {
        let [a, b, c, d] = corners.map(|u| self.0.x.get(u));
        let [old, new] = [[[b, c, a], [a, d, b]], [[c, a, d], [d, b, c]]];
        let (n, m) = (old.map(normal), new.map(normal));
        let least = |t: [[_; 3]; 2], n: [_; 2]| quality(t[0], n[0]).min(quality(t[1], n[1]));
        let (before, after) = (least(old, n), least(new, m));
        if after < GOOD && after < before || after < DEGENERATE {
            return Some(SLIVER);
        }
        let sum = n[0] + n[1];
        if !within(m[0], sum, TURN) || !within(m[1], sum, TURN) {
            return Some(TURNS);
        }
        None
    }
}

impl Operator for Flip<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = true;
    const GROWS: bool = false;
    #[inline(always)]
    fn propose(&self, mesh: DynamicView<'_>, seed: u32) -> Option<f32> {
        let v = &self.0;
        let [g, h] = mesh.sides(seed);
        if g == NONE || h == NONE || v.marks.get(seed) {
            return None;
        }
        let excess = |u: u32| v.excess.get(u) as i32;
        let [a, b, c, d] = mesh.diamond([g, h]);
        // half of what the sum of squares loses
        let gain = excess(a) + excess(b) - excess(c) - excess(d) - 2;
        if gain > 0 {
            Some(gain as f32)
        } else if gain == 0 && not_delaunay([a, b, c, d].map(|u| v.x.get(u)), BEYOND) {
            Some(0.5)
        } else {
            None
        }
    }
    #[inline(always)]
    fn judge(&self, mesh: DynamicView<'_>, seed: u32) -> Option<Refusal> {
        self.forbidden(mesh.diamond(mesh.sides(seed)))
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        templates::of_edge(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let v = self.0;
        let mut i = 0;
        while i < cavity.len() {
            // so that no other flip counts on the same valence
            fill.exclusive(cavity.vertex(i));
            i += 1;
        }
        operators::flip(cavity, &mut Marking::new(fill, v.marks, |_, _| false));
        fill.write(|| {
            let add = |i: u32, by: u32| {
                let u = cavity.vertex(i);
                v.excess.set(u, v.excess.get(u).wrapping_add(by));
            };
            add(0, 1u32.wrapping_neg());
            add(1, 1);
            add(2, 1u32.wrapping_neg());
            add(3, 1);
        });
    }
}
ribbonmesh_dynamic::operator! {
    /// Of [`Flip`].
    Flip<'a>: flip_claim FlipClaim, flip_apply FlipApply
}
