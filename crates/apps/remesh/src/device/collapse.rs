//! Collapsing edges that are too short.
use super::geometry::{SLIVER as DEGENERATE, normal, quality, within};
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, Refusal, operators, templates};

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
#[derive(Clone, Copy)]
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
    /// Which end stays; none if that would move one that may not.
    #[inline(always)]
    fn join(&self, cavity: &Cavity<'_>) -> Option<Join> {
        let v = &self.0;
        let [mut a, mut b] = cavity.ends();
        let (mut of_a, of_b) = (v.kind.get(a), v.kind.get(b));
        if of_a == FREE && of_b == FREE {
            let place = 0.5 * (v.x.get(a) + v.x.get(b));
            return Some(Join { ends: [a, b], kind: FREE, place });
        }
        let mut swap = of_b > of_a;
        if of_a != FREE && of_b != FREE {
            // an end on the boundary stays there
            let (open_a, open_b) = (cavity.find(a) != NONE, cavity.find(b) != NONE);
            if open_a != open_b {
                if open_b && of_a > of_b || open_a && of_b > of_a {
                    return None;
                }
                swap = open_b;
            }
        }
        if swap {
            (a, b, of_a) = (b, a, of_b);
        }
        Some(Join { ends: [a, b], kind: of_a, place: v.x.get(a) })
    }
    /// Whether this was refused in this phase, and nothing has changed since.
    #[inline(always)]
    fn still_refused(&self, mesh: DynamicView<'_>, seed: u32) -> bool {
        let at = self.0.refused.get(seed);
        if at < self.0.since {
            return false;
        }
        let mut changed = false;
        templates::stars_of_edge(mesh, seed, |h| changed |= mesh.made(h) >= at);
        !changed
    }
    /// Why not, if there is a reason. During planning.
    #[inline(always)]
    fn forbidden(&self, cavity: &Cavity<'_>, join: &Join) -> Option<Refusal> {
        let (v, mesh) = (&self.0, cavity.mesh());
        let [a, b] = join.ends;
        let p = join.place;
        let end = |u: u32| u == a || u == b;
        let good = if v.ratio(a, b) < TINY { GOOD_OF_TINY } else { GOOD };
        let mut i = 0;
        while i < cavity.deleted_vertices() {
            let u = cavity.deleted_vertex(i);
            if !end(u) && v.kind.get(u) != FREE {
                return Some(PINNED);
            }
            i += 1;
        }
        let mut i = 0;
        while i < cavity.len() {
            let (u, w) = (cavity.vertex(i), cavity.vertex(cavity.after(i)));
            i += 1;
            if end(u) {
                continue;
            }
            let x = v.x.get(u);
            let l = v.target(u, a).min(v.target(u, b));
            if (x - p).length_squared() > 16.0 / 9.0 * l * l {
                return Some(TOO_LONG);
            }
            if end(w) {
                continue;
            }
            let y = v.x.get(w);
            let h = cavity.inside(i - 1);
            let z = v.x.get(mesh.opposite(h));
            let (old, new) = (normal([x, y, z]), normal([x, y, p]));
            let (before, after) = (quality([x, y, z], old), quality([x, y, p], new));
            if after < good && after < before || after < DEGENERATE {
                return Some(SLIVER);
            }
            if before > DEGENERATE && !within(old, new, TURN) {
                return Some(TURNS);
            }
        }
        None
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
        let [a, b] = ends(mesh, sides);
        let ratio = v.ratio(a, b);
        if ratio < 16.0 / 25.0 {
            let (of_a, of_b) = (v.kind.get(a), v.kind.get(b));
            let open = sides[0] == NONE || sides[1] == NONE;
            let good =
                of_a == FREE || of_b == FREE || (of_a == CURVE || of_b == CURVE) && (open || v.marked(seed));
            if good && !self.still_refused(mesh, seed) {
                return Some(-coarse(ratio));
            }
        }
        None
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        templates::stars_of_edge(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let v = self.0;
        let mut making = false;
        fill.write(|| making = true);
        let Some(join) = self.join(cavity) else {
            fill.refuse(PINNED);
            return;
        };
        if !making {
            if let Some(reason) = self.forbidden(cavity, &join) {
                v.refused.set(cavity.seed, cavity.mesh().pass());
                fill.refuse(reason);
                return;
            }
            if v.has(HAS_MARKS) {
                // the seed's word keeps them until the filling is made
                let Some(spokes) = marked_spokes(v, cavity, join.ends) else {
                    fill.refuse(CROWDED);
                    return;
                };
                v.marks.set(cavity.seed, v.marks.get(cavity.seed) & MARKED | spokes);
            }
        }
        let spokes = if v.has(HAS_MARKS) { v.marks.get(cavity.seed) & !MARKED } else { 0 };
        // of the ends, before one of their ids is used again
        let [a, b] = join.ends;
        let near = if making && v.has(PROJECTED) { v.near.get(a) } else { 0 };
        let size = match making && v.has(SIZED) {
            true if join.kind == FREE => 0.5 * (v.size.get(a) + v.size.get(b)),
            true => v.size.get(a),
            false => 0.0,
        };
        let spoke = |u: u32| {
            let i = cavity.find(u);
            i < 31 && spokes >> i & 1 != 0
        };
        // of a new edge the hub is an end that stays, or no vertex of the loop
        let marked = |from: u32, to: u32| {
            let hub_first = from == a || from == b;
            spokes != 0 && spoke(if hub_first { to } else { from })
        };
        let done = operators::collapse_edge(cavity, join.ends, &mut Marking::new(fill, v, marked));
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
