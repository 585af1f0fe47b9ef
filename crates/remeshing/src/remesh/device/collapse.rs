//! Collapsing edges that are too short.
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Edge, EdgeId, HalfEdge, Parameter, VertexId};
use ribbonmesh::dynamic::fillings::{Collapsed, collapse_edge};
use ribbonmesh::dynamic::templates::StarsOfEdge;
use ribbonmesh::dynamic::{
    Cavity, Decision, Fill, Filled, LocalEdge, MeshRef, Operator, Rejection, coarse, operator,
};
use ribbonmesh::features::kind::{self, CORNER, CURVE, FREE};
use ribbonmesh::features::triangle::{SLIVER as DEGENERATE, normal, quality, within};

/// Cosine of the angle by which a face may turn: 60°.
const TURN: f32 = 0.5;
/// A face below this quality must not be worse than the one before.
const GOOD: f32 = 0.3;
/// Most faces at an end of a collapsed edge. At a vertex with more, other edges are collapsed first.
const MOST_FACES: u32 = 64;
/// Squared length in target lengths below which an edge has to be removed, ...
const TINY: f32 = 0.1;
/// ... so that this quality is good enough.
const GOOD_OF_TINY: f32 = 0.05;

/// Collapses edges shorter than 4/5 of the target length, the shortest first: to the middle, or onto the end
/// that is on a curve or a corner. A collapse is rejected if it would make an edge longer than 4/3 of the
/// target length, turn a face by more than 60° or make a sliver, or if an end has more than 64 faces. Two
/// vertices of curves are joined along the curve only, unless features are merged; corners stay. Where
/// features are kept ([`SHARP`]), a collapse may make a sliver if that makes the faces better on the whole.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Collapse<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

/// Description of a collapse: which ends are joined, and how.
#[derive(Clone, Copy, Decision)]
pub struct Join {
    /// The ends: first the one that keeps its position, if one does.
    ends: [VertexId; 2],
    kind: u32,
    /// Whether they are joined in the middle.
    middle: bool,
    /// The vertices around that get marked edges.
    marked: u32,
}

impl Collapse<'_> {
    /// Whether an edge that is not part of a curve is so short that it may be collapsed although that joins
    /// two curves, or two parts of one, or gives a curve a corner. No end may move too far by that.
    #[inline(always)]
    fn merges(&self, [a, b]: [VertexId; 2]) -> bool {
        let v = &self.values;
        if !v.has(SHARP) {
            return false;
        }
        let (of_a, of_b, target) = (v.kind.get(a), v.kind.get(b), v.target(a, b));
        let length = sqrt((v.x.get(a) - v.x.get(b)).length_squared());
        // to the middle of the edge, or to a corner
        let (good, way) = if of_a == CURVE && of_b == CURVE {
            (true, 0.5 * length)
        } else {
            (of_a == CURVE && of_b == CORNER || of_a == CORNER && of_b == CURVE, length)
        };
        good && length < v.merge * target && self.moved([a, b]) + way <= FAR * target
    }
    /// The distance that two vertices of curves have moved from where they were: the greater of both.
    #[inline(always)]
    fn moved(&self, [a, b]: [VertexId; 2]) -> f32 {
        self.values.moved.get(a).max(self.values.moved.get(b))
    }
    /// Decides how the ends of an edge are joined.
    #[inline(always)]
    fn join(
        &self,
        mesh: impl MeshRef,
        seed: EdgeId,
        ends: [VertexId; 2],
        open: impl Fn(VertexId) -> bool,
    ) -> Result<Join, Rejection> {
        let v = &self.values;
        let [g, h] = mesh.sides(seed);
        if g.is_some() && h.is_some() && !v.marks.get(seed) && self.merges(ends) {
            if open(ends[0]) || open(ends[1]) {
                return Err(PINNED);
            }
            if v.kind.get(ends[0]) == CURVE && v.kind.get(ends[1]) == CURVE {
                return Ok(Join { ends, kind: JOINT, middle: true, marked: 0 });
            }
        }
        let (ends, kind) = kind::joined(ends, ends.map(|u| v.kind.get(u)), open).ok_or(PINNED)?;
        Ok(Join { ends, kind, middle: kind == FREE, marked: 0 })
    }
    /// The point at which the ends of an edge are joined.
    #[inline(always)]
    fn place(&self, join: &Join) -> Vec3 {
        let (x, [a, b]) = (self.values.x, join.ends);
        if join.middle { 0.5 * (x.get(a) + x.get(b)) } else { x.get(a) }
    }
    /// The reason, if there is one, why the faces at one end, the start of `h`, may not follow it to the
    /// point where it is joined with `other`.
    #[inline(always)]
    fn check(
        &self,
        mesh: impl MeshRef,
        h: HalfEdge,
        other: VertexId,
        p: Vec3,
        good: f32,
    ) -> Result<Costs, Rejection> {
        let v = &self.values;
        let mut costs = Costs::default();
        let end = mesh.from(h);
        let z = v.x.get(end);
        let (mut reason, mut faces) = (None, 0);
        mesh.star(h, |g| {
            faces += 1;
            if faces > MOST_FACES {
                // all edges of a vertex of many faces would go around it
                reason = Some(CROWDED);
                return false;
            }
            let (u, w) = (mesh.to(g), mesh.opposite(g));
            let (x, y) = (v.x.get(u), v.x.get(w));
            let far = |u: VertexId, x: Vec3| {
                let l = v.target(u, end).min(v.target(u, other));
                u != other && (x - p).length_squared() > 16.0 / 9.0 * l * l
            };
            let (old, new) = (normal([x, y, z]), normal([x, y, p]));
            let (before, after) = (quality([x, y, z], old), quality([x, y, p], new));
            let stays = u != other && w != other;
            costs.before += cost(before) * if stays { 1.0 } else { 0.5 };
            costs.after += if stays { cost(after) } else { 0.0 };
            let worse = after < good && after < before || after < DEGENERATE;
            costs.worse |= stays && worse;
            let leaves = |most: f32| {
                let height = old.dot(p - z);
                height * height > most * most * old.length_squared()
            };
            let found = if far(u, x) || far(w, y) {
                Some(TOO_LONG)
            } else if stays && worse && !v.has(SHARP) {
                Some(SLIVER)
            } else if stays
                && before > DEGENERATE
                && (!within(old, new, TURN) || v.has(SHARP) && leaves(FAR * v.target(end, other)))
            {
                Some(TURNS)
            } else {
                None
            };
            reason = reason.or(found);
            // on a GPU to the end, so that loads of one face need not wait for the verdict on another
            reason.is_none() || cfg!(target_arch = "nvptx64")
        });
        reason.map_or(Ok(costs), Err)
    }
}

/// Costs of the faces around one end, before and after: see [`cost`]. Faces that vanish count half, since
/// they are around both ends.
#[derive(Clone, Copy, Default)]
struct Costs {
    before: f32,
    after: f32,
    /// Whether a face becomes a sliver, or a worse one.
    worse: bool,
}
/// The cost of a face of this quality: 1 if it is equilateral, and much if it is a sliver.
#[inline(always)]
fn cost(quality: f32) -> f32 {
    1.0 / quality.max(1e-5)
}

#[operator(seed = Edge, cavity = StarsOfEdge, in_place)]
impl Operator for Collapse<'_> {
    type Decision = Join;
    type Made = Collapsed;

    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let (v, diamond) = (&self.values, edge.diamond()?);
        let [a, b] = diamond.ends();
        let ratio = v.ratio(a, b);
        if ratio < 16.0 / 25.0 {
            let (of_a, of_b) = (v.kind.get(a), v.kind.get(b));
            let good = of_a == FREE
                || of_b == FREE
                || (of_a == CURVE || of_b == CURVE) && (diamond.on_boundary() || v.marks.get(edge.id()))
                || !diamond.on_boundary() && self.merges([a, b]);
            return good.then_some(-coarse(ratio));
        }
        None
    }
    fn precheck(&self, mesh: impl MeshRef, seed: EdgeId) -> Result<(), Rejection> {
        let v = &self.values;
        let [g, h] = mesh.sides(seed);
        let Some(from_a) = g.or(h) else { return Ok(()) };
        let from_b = from_a.next();
        let [a, b] = [mesh.from(from_a), mesh.from(from_b)];
        if v.is_barred(a, NO_COLLAPSE) || v.is_barred(b, NO_COLLAPSE) {
            return Err(INTERSECTS);
        }
        let open = |u: VertexId| mesh.on_boundary(if u == a { from_a } else { from_b });
        let place = self.place(&self.join(mesh, seed, [a, b], open)?);
        let good = if v.ratio(a, b) < TINY { GOOD_OF_TINY } else { GOOD };
        let of_a = self.check(mesh, from_a, b, place, good)?;
        let of_b = self.check(mesh, from_b, a, place, good)?;
        // reached only where features are kept: otherwise each sliver is rejected above
        if (of_a.worse || of_b.worse) && of_a.after + of_b.after >= of_a.before + of_b.before {
            return Err(SLIVER);
        }
        Ok(())
    }
    fn decide(&self, mesh: impl MeshRef, cavity: &Cavity<'_, Edge>) -> Result<Join, Rejection> {
        let open = |u: VertexId| cavity.find(u).is_some();
        let join = self.join(mesh, cavity.seed(), cavity.ends(), open)?;
        let marked = self.values.marks.around_collapse(mesh, cavity, join.ends).ok_or(CROWDED)?;
        Ok(Join { marked, ..join })
    }
    fn fill(cavity: &Cavity<'_, Edge>, join: &Join, fill: &mut impl Fill) -> Result<Collapsed, Rejection> {
        collapse_edge(cavity, join.ends, fill)
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, join: &Join, _: (), made: &Collapsed) {
        let (v, [a, b]) = (&self.values, join.ends);
        v.marks.mark_fan(cavity, &made.fan, join.marked);
        if made.stays.is_some() {
            return;
        }
        // the new vertex has the id of one of the ends: read the values of both ends before the new ones are
        // written
        let x = self.place(join);
        let vertex = cavity.vertex_of(made.vertex);
        if v.has(SIZED) {
            let [of_a, of_b] = [a, b].map(|u| v.size.get(u));
            v.size.set(vertex, if join.middle { 0.5 * (of_a + of_b) } else { of_a });
        }
        if v.has(PROJECTED) {
            v.near.set(vertex, v.near.get(a));
        }
        if v.has(SHARP) {
            let moved = if join.kind == FREE {
                0.0
            } else if join.middle {
                self.moved([a, b]) + 0.5 * sqrt((v.x.get(a) - v.x.get(b)).length_squared())
            } else {
                v.moved.get(a)
            };
            v.moved.set(vertex, moved);
        }
        v.x.set(vertex, x);
        v.kind.set(vertex, join.kind);
    }
}
