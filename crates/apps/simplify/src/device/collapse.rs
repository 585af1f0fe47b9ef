//! Collapsing edges.
use super::distance::from_triangle;
use super::quadric::{Quadric, wide};
use super::select::selected;
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{ElementKind, NONE, Parameter, Quad};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, Refusal, coarse, next, operators, templates};
use ribbonmesh_features::triangle::{SLIVER as DEGENERATE, normal, quality, within};
use ribbonmesh_features::{MOST_AROUND, Marking, kind};

/// A face below this quality must not be worse than the worst one before.
const GOOD: f32 = 0.05;
/// Points between those that are measured may be farther away.
const RESERVE: f32 = 1.25;

/// Collapses the edges that are selected, the cheapest first, to where [`crate::price`] has said; not if that would
/// turn a face, make a sliver, or take the surface too far from the input. Vertices of curves are joined along the
/// curve only; corners stay.
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
    /// Where an edge would collapse to.
    #[inline(always)]
    fn place(&self, seed: u32) -> Vec3 {
        let Quad([x, y, z, _]) = self.0.place.get(seed);
        Vec3::from_array([x, y, z].map(f32::from_bits))
    }
    /// Which end stays; none if that would move one that may not.
    #[inline(always)]
    fn join(&self, cavity: &Cavity<'_>) -> Option<Join> {
        let ends = cavity.ends();
        let kinds = ends.map(|u| self.0.kind.get(u));
        let (ends, kind) = kind::joined(ends, kinds, |u| cavity.find(u) != NONE)?;
        Some(Join { ends, kind, place: self.place(cavity.seed) })
    }
    /// What happens to the faces at one end, the start of `h`, that follow it to where it is joined with `other`: whether
    /// one turns, the worst quality before, and after.
    #[inline(always)]
    fn moves(&self, mesh: DynamicView<'_>, h: u32, other: u32, p: Vec3) -> (bool, f32, f32) {
        let v = &self.0;
        let z = v.x.get(mesh.from(h));
        let (mut turns, mut worst_before, mut worst_after) = (false, 1.0f32, 1.0f32);
        mesh.star(h, |g| {
            let (u, w) = (mesh.to(g), mesh.opposite(g));
            if u != other && w != other {
                let (x, y) = (v.x.get(u), v.x.get(w));
                let (old, new) = (normal([x, y, z]), normal([x, y, p]));
                let (before, after) = (quality([x, y, z], old), quality([x, y, p], new));
                worst_before = worst_before.min(before);
                worst_after = worst_after.min(after);
                turns |= before > DEGENERATE && !within(old, new, v.turn);
            }
            true
        });
        (turns, worst_before, worst_after)
    }
    /// Why not, if there is a reason that only the cavity shows; else the seed's words keep what the filling needs until it
    /// is made. During planning.
    #[inline(always)]
    fn forbidden(&self, cavity: &Cavity<'_>, join: &Join) -> Option<Refusal> {
        let v = &self.0;
        if cavity.len() > MOST_AROUND {
            return Some(CROWDED);
        }
        if v.has(BOUNDED) {
            let drift = self.drift(cavity, join);
            let Quad([x, y, z, _]) = v.place.get(cavity.seed);
            v.place.set(cavity.seed, Quad([x, y, z, drift.to_bits()]));
            let near = RESERVE * drift <= v.bound;
            if !near {
                return Some(TOO_FAR);
            }
        }
        let planned = !v.marks.some() || v.marks.plan_collapse(cavity, join.ends);
        if planned { None } else { Some(CROWDED) }
    }
    /// How far the surface around would be from the input: what the ends are, or half of what a vertex around is, if that
    /// is more, and how far ends and middles of the old edges are from the new faces, and those of the new edges from
    /// the old faces. During planning.
    #[inline(always)]
    fn drift(&self, cavity: &Cavity<'_>, join: &Join) -> f32 {
        let (v, mesh) = (&self.0, cavity.mesh());
        let [a, b] = join.ends;
        let p = join.place;
        let end = |u: u32| u == a || u == b;
        let apex = |i: u32| v.x.get(mesh.opposite(cavity.inside(i)));
        let (n, mut most, mut k) = (cavity.len(), 0.0f32, 0);
        while k < 2 * n + 3 {
            let old = k < n + 2;
            let point = if k < n {
                0.5 * (v.x.get(cavity.vertex(k)) + apex(k))
            } else if old {
                v.x.get(if k == n { a } else { b })
            } else if k < 2 * n + 2 {
                0.5 * (v.x.get(cavity.vertex(k - n - 2)) + p)
            } else {
                p
            };
            let (mut least, mut i) = (f32::INFINITY, 0);
            while i < if old { n } else { cavity.deleted_faces() } {
                let [u, w, t] = if old {
                    [cavity.vertex(i), cavity.vertex(cavity.after(i)), a]
                } else {
                    let [u, w, t, _] = mesh.corners(cavity.deleted_face(i));
                    [u, w, t]
                };
                if !old || !end(u) && !end(w) {
                    let third = if old { p } else { v.x.get(t) };
                    least = least.min(from_triangle(point, [v.x.get(u), v.x.get(w), third]));
                }
                i += 1;
            }
            most = most.max(least);
            k += 1;
        }
        let drift = |u: u32| Quadric::load(v.quadrics, u).drift as f32;
        let (mut around, mut i) = (0.0f32, 0);
        while i < n {
            around = around.max(drift(cavity.vertex(i)));
            i += 1;
        }
        drift(a).max(drift(b)).max(0.5 * around) + sqrt(most)
    }
}

impl Operator for Collapse<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = true;
    const GROWS: bool = false;
    const LOCAL: bool = true;
    #[inline(always)]
    fn propose(&self, _: DynamicView<'_>, seed: u32) -> Option<f32> {
        let cost = self.0.cost.get(seed);
        if selected(self.0.selection, seed, cost) { Some(-coarse(f32::from_bits(cost))) } else { None }
    }
    /// Edges that are refused here get the sign; no other thread writes their word.
    #[inline(always)]
    fn judge(&self, mesh: DynamicView<'_>, seed: u32) -> Option<Refusal> {
        let [h0, h1] = mesh.sides(seed);
        let from_a = if h0 != NONE { h0 } else { h1 };
        let from_b = next(from_a);
        let [a, b] = [mesh.from(from_a), mesh.from(from_b)];
        let p = self.place(seed);
        let (turns_a, before_a, after_a) = self.moves(mesh, from_a, b, p);
        let (turns_b, before_b, after_b) = self.moves(mesh, from_b, a, p);
        let after = after_a.min(after_b);
        let reason = if turns_a || turns_b {
            TURNS
        } else if after < GOOD && after < before_a.min(before_b) {
            SLIVER
        } else {
            return None;
        };
        self.0.cost.set(seed, self.0.cost.get(seed) | REFUSED);
        Some(reason)
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        templates::stars_of_edge(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let v = self.0;
        let Some(join) = self.join(cavity) else {
            fill.refuse(PINNED);
            return;
        };
        let [a, b] = join.ends;
        fill.consider(|| self.forbidden(cavity, &join));
        let marked = v.marks.of_collapse(cavity, join.ends);
        let done = operators::collapse_edge(cavity, join.ends, &mut Marking::new(fill, v.marks, marked));
        fill.write(|| {
            // what the ends have, before the vertex that takes their place gets its own: it may have the id of one. An end
            // that stays is no other cavity's to read, for all its faces are of this one
            let p = wide(join.place);
            let (to_a, to_b) = (p - wide(v.x.get(a)), p - wide(v.x.get(b)));
            let input = v.input.get(if to_b.dot(to_b) < to_a.dot(to_a) { b } else { a });
            let mut quadric = Quadric::load(v.quadrics, a).moved(to_a);
            quadric = quadric.plus(&Quadric::load(v.quadrics, b).moved(to_b));
            if v.has(BOUNDED) {
                let Quad([_, _, _, drift]) = v.place.get(cavity.seed);
                quadric.drift = f32::from_bits(drift) as f64;
            }
            v.x.set(done.vertex, join.place);
            v.kind.set(done.vertex, join.kind);
            v.input.set(done.vertex, input);
            quadric.store(v.quadrics, done.vertex);
        });
    }
}
ribbonmesh_dynamic::operator! {
    /// Of [`Collapse`].
    Collapse<'a>: collapse_claim CollapseClaim, collapse_apply CollapseApply
}
