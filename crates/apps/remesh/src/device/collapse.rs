//! Collapsing edges that are too short.
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::{ElementKind, NONE, Parameter};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, Refusal, coarse, next, operators, templates};
use ribbonmesh_features::Marking;
use ribbonmesh_features::kind::{self, CURVE, FREE};
use ribbonmesh_features::triangle::{SLIVER as DEGENERATE, normal, quality, within};

/// Faces may turn by 60°.
const TURN: f32 = 0.5;
/// A face below this quality must not be worse than the one before.
const GOOD: f32 = 0.3;
/// Below this squared length in target lengths, an edge has to go, ...
const TINY: f32 = 0.1;
/// ... and this is good enough.
const GOOD_OF_TINY: f32 = 0.05;

/// Collapses edges shorter than 4/5 of the target length, the shortest first: to the middle, or onto the end that is on
/// a curve or a corner. Not if that would make an edge longer than 4/3 of the target length, turn a face by more than
/// 60°, or make a sliver. Two vertices of curves are joined along the curve only; corners stay.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Collapse<'a>(pub Values<'a>);

/// What a collapse joins, and where.
#[derive(Clone, Copy)]
struct Join {
    /// The ends: the one that stays where it is, if one does, first.
    ends: [u32; 2],
    kind: u32,
    place: Vec3,
}

impl Collapse<'_> {
    /// Which end stays; none if that would move one that may not. `open` tells whether an end lies on the boundary.
    #[inline(always)]
    fn join(&self, ends: [u32; 2], open: impl Fn(u32) -> bool) -> Option<Join> {
        let v = &self.0;
        let (ends, kind) = kind::joined(ends, ends.map(|u| v.kind.get(u)), open)?;
        let [a, b] = ends;
        let place = if kind == FREE { 0.5 * (v.x.get(a) + v.x.get(b)) } else { v.x.get(a) };
        Some(Join { ends, kind, place })
    }
    /// Why the faces at one end, the start of `h`, may not follow it to where it is joined with `other`.
    #[inline(always)]
    fn forbidden(&self, mesh: DynamicView<'_>, h: u32, other: u32, p: Vec3, good: f32) -> Option<Refusal> {
        let v = &self.0;
        let end = mesh.from(h);
        let z = v.x.get(end);
        let mut reason = NONE;
        mesh.star(h, |g| {
            let (u, w) = (mesh.to(g), mesh.opposite(g));
            let (x, y) = (v.x.get(u), v.x.get(w));
            let far = |u: u32, x: Vec3| {
                let l = v.target(u, end).min(v.target(u, other));
                u != other && (x - p).length_squared() > 16.0 / 9.0 * l * l
            };
            let (old, new) = (normal([x, y, z]), normal([x, y, p]));
            let (before, after) = (quality([x, y, z], old), quality([x, y, p], new));
            let stays = u != other && w != other;
            let found = if far(u, x) || far(w, y) {
                TOO_LONG
            } else if stays && (after < good && after < before || after < DEGENERATE) {
                SLIVER
            } else if stays && before > DEGENERATE && !within(old, new, TURN) {
                TURNS
            } else {
                NONE
            };
            reason = if reason == NONE { found } else { reason };
            // on a GPU to the end, so that loads of one face need not wait for the verdict on another
            reason == NONE || cfg!(target_arch = "nvptx64")
        });
        (reason != NONE).then_some(reason)
    }
}

impl Operator for Collapse<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = true;
    const GROWS: bool = false;
    const LOCAL: bool = true;
    #[inline(always)]
    fn propose(&self, mesh: DynamicView<'_>, seed: u32) -> Option<f32> {
        let v = &self.0;
        let sides = mesh.sides(seed);
        let [a, b] = mesh.ends_of(sides);
        let ratio = v.ratio(a, b);
        if ratio < 16.0 / 25.0 {
            let (of_a, of_b) = (v.kind.get(a), v.kind.get(b));
            let open = sides[0] == NONE || sides[1] == NONE;
            let good = of_a == FREE
                || of_b == FREE
                || (of_a == CURVE || of_b == CURVE) && (open || v.marks.get(seed));
            return good.then_some(-coarse(ratio));
        }
        None
    }
    #[inline(always)]
    fn judge(&self, mesh: DynamicView<'_>, seed: u32) -> Option<Refusal> {
        let [h0, h1] = mesh.sides(seed);
        let from_a = if h0 != NONE { h0 } else { h1 };
        let from_b = next(from_a);
        let [a, b] = [mesh.from(from_a), mesh.from(from_b)];
        let open = |u: u32| mesh.on_boundary(if u == a { from_a } else { from_b });
        let Some(join) = self.join([a, b], open) else { return Some(PINNED) };
        let good = if self.0.ratio(a, b) < TINY { GOOD_OF_TINY } else { GOOD };
        let reason = self.forbidden(mesh, from_a, b, join.place, good);
        if reason.is_some() { reason } else { self.forbidden(mesh, from_b, a, join.place, good) }
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        templates::stars_of_edge(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let v = self.0;
        let Some(join) = self.join(cavity.ends(), |u| cavity.find(u) != NONE) else {
            fill.refuse(PINNED);
            return;
        };
        fill.consider(|| {
            let planned = !v.marks.some() || v.marks.plan_collapse(cavity, join.ends);
            if planned { None } else { Some(CROWDED) }
        });
        let marked = v.marks.of_collapse(cavity, join.ends);
        let mut making = false;
        fill.write(|| making = true);
        // of the ends, before one of their ids is used again
        let [a, b] = join.ends;
        let near = if making && v.has(PROJECTED) { v.near.get(a) } else { 0 };
        let size = match making && v.has(SIZED) {
            true if join.kind == FREE => 0.5 * (v.size.get(a) + v.size.get(b)),
            true => v.size.get(a),
            false => 0.0,
        };
        let done = operators::collapse_edge(cavity, join.ends, &mut Marking::new(fill, v.marks, marked));
        fill.write(|| {
            if done.new {
                v.x.set(done.vertex, join.place);
                v.kind.set(done.vertex, join.kind);
                if v.has(SIZED) {
                    v.size.set(done.vertex, size);
                }
                if v.has(PROJECTED) {
                    v.near.set(done.vertex, near);
                }
            }
        });
    }
}
ribbonmesh_dynamic::operator! {
    /// Of [`Collapse`].
    Collapse<'a>: collapse_claim CollapseClaim, collapse_apply CollapseApply
}
