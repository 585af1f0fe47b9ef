//! Collapsing edges.
use super::distance::from_triangle;
use super::quadric::{Quadric, wide};
use super::select::selected;
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Each, Edge, EdgeId, HalfEdge, Parameter, Quad, VertexId, kernel};
use ribbonmesh::dynamic::fillings::{Collapsed, collapse_edge};
use ribbonmesh::dynamic::templates::StarsOfEdge;
use ribbonmesh::dynamic::{
    Cavity, Decision, DynamicView, Fill, Filled, LocalEdge, MeshRef, Operator, Rejection, coarse, operator,
};
use ribbonmesh::features::triangle::{SLIVER as DEGENERATE, normal, quality, within};
use ribbonmesh::features::{MOST_AROUND, kind};

/// A face below this quality must not be worse than the worst one before.
const GOOD: f32 = 0.05;
/// With more faces at its ends the vertex of a collapse would have more than [`MOST_AROUND`] neighbours.
pub const MOST_FACES: u32 = MOST_AROUND + 2;
/// Factor of safety for the distance: points between the measured ones may be farther away.
pub const RESERVE: f32 = 1.25;

/// Collapses the edges that are selected, the cheapest first, to the points that [`crate::simplify::price`]
/// has chosen. A collapse is rejected if it would turn a face, make a sliver, or move the surface too far
/// from the input. Vertices of curves are joined along the curve only; corners stay.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct QuadricCollapse<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

/// Description of a collapse: which ends are joined, and how.
#[derive(Clone, Copy, Decision)]
pub struct Join {
    /// The ends: first the one that keeps its position, if one does.
    ends: [VertexId; 2],
    kind: u32,
    /// The vertices around that get marked edges.
    marked: u32,
    /// Distance of the surface from the input after the collapse, where that is bounded.
    drift: f32,
}

/// How the faces change that stay at the ends of a collapse.
#[derive(Clone, Copy)]
pub struct Changes {
    /// Whether one turns too far.
    turns: bool,
    /// The worst quality before.
    before: f32,
    /// The worst quality after.
    after: f32,
}
impl Changes {
    /// Of no faces.
    pub const NONE: Self = Self { turns: false, before: 1.0, after: 1.0 };
    /// Adds a face with corners `x`, `y` and `z`, of which the last one moves to `p`. `turn`: cosine of the
    /// angle by which faces may turn.
    #[inline(always)]
    pub fn add(&mut self, [x, y]: [Vec3; 2], z: Vec3, p: Vec3, turn: f32) {
        let (old, new) = (normal([x, y, z]), normal([x, y, p]));
        let (before, after) = (quality([x, y, z], old), quality([x, y, p], new));
        self.before = self.before.min(before);
        self.after = self.after.min(after);
        self.turns |= before > DEGENERATE && !within(old, new, turn);
    }
    /// Whether the changes are allowed.
    /// # Errors
    /// [`TURNS`], [`SLIVER`].
    #[inline(always)]
    pub fn verdict(&self) -> Result<(), Rejection> {
        if self.turns {
            Err(TURNS)
        } else if self.after < GOOD && self.after < self.before {
            Err(SLIVER)
        } else {
            Ok(())
        }
    }
}

impl QuadricCollapse<'_> {
    /// The point to which an edge would collapse.
    #[inline(always)]
    fn place(&self, seed: EdgeId) -> Vec3 {
        let Quad([x, y, z, _]) = self.values.place.get(seed);
        Vec3::from_array([x, y, z].map(f32::from_bits))
    }
    /// Adds the changes of the faces at one end, the start of `h`, that follow it to `p`, where it is joined
    /// with `other`. Returns the number of faces. The walk ends after one face more than [`MOST_FACES`].
    #[inline(always)]
    fn moves(&self, mesh: impl MeshRef, h: HalfEdge, other: VertexId, p: Vec3, changes: &mut Changes) -> u32 {
        let v = &self.values;
        let z = v.x.get(mesh.from(h));
        let mut faces = 0;
        mesh.star(h, |g| {
            faces += 1;
            let (u, w) = (mesh.to(g), mesh.opposite(g));
            if u != other && w != other {
                changes.add([v.x.get(u), v.x.get(w)], z, p, v.turn);
            }
            // a limit: otherwise each edge of a vertex with many faces would walk around all of them
            faces <= MOST_FACES
        });
        faces
    }
    /// The distance of the surface around the vertex from the input after the collapse. It is the drift of
    /// the ends, or half of the drift of a vertex around if that is more, plus the distance of the ends and
    /// middles of the old edges from the new faces, and of the new vertex and the middles of the new edges
    /// from the old faces.
    #[inline(always)]
    fn drift(&self, mesh: impl MeshRef, cavity: &Cavity<'_, Edge>, [a, b]: [VertexId; 2]) -> f32 {
        let (v, p) = (&self.values, self.place(cavity.seed()));
        let end = |u: VertexId| u == a || u == b;
        let apex = |i: u32| cavity.inside(mesh, i).map_or(p, |h| v.x.get(mesh.opposite(h)));
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
                    mesh.corners(cavity.deleted_face(i))
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
        let drift = |u: VertexId| Quadric::load(v.quadrics, u).drift as f32;
        let (mut around, mut i) = (0.0f32, 0);
        while i < n {
            around = around.max(drift(cavity.vertex(i)));
            i += 1;
        }
        drift(a).max(drift(b)).max(0.5 * around) + sqrt(most)
    }
}

/// Gives the sign to the cost of each of `n` edges whose collapse would turn a face or make a sliver, as the
/// operator does when it comes to the edge. Where most selected edges are rejected, a selection of the others
/// takes fewer stages.
#[kernel(threads = 256)]
pub fn screen<'a>(e: Each, mesh: DynamicView<'a>, values: Values<'a>) {
    let (operator, seed) = (QuadricCollapse { values }, EdgeId::new(e));
    let cost = values.cost.get(seed);
    // the sign is set there; what is crowded is left to the operator, which reports it
    if cost < NEVER && operator.precheck(mesh, seed) == Err(CROWDED) {
        values.cost.set(seed, cost);
    }
}

#[operator(seed = Edge, cavity = StarsOfEdge, in_place)]
impl Operator for QuadricCollapse<'_> {
    type Decision = Join;
    type Made = Collapsed;

    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let cost = self.values.cost.get(edge.id());
        let wanted = selected(self.values.selection, edge.id(), cost);
        let wanted = wanted && (!self.values.has(REPEATED) || self.values.again.get(edge.id()) != 0);
        wanted.then_some(-coarse(f32::from_bits(cost)))
    }
    /// Rejects edges; the cost of a rejected edge gets the sign here. No other thread writes its word.
    fn precheck(&self, mesh: impl MeshRef, seed: EdgeId) -> Result<(), Rejection> {
        let [g, h] = mesh.sides(seed);
        let Some(from_a) = g.or(h) else { return Ok(()) };
        let from_b = from_a.next();
        let [a, b] = [mesh.from(from_a), mesh.from(from_b)];
        let p = self.place(seed);
        let mut changes = Changes::NONE;
        let faces =
            self.moves(mesh, from_a, b, p, &mut changes) + self.moves(mesh, from_b, a, p, &mut changes);
        let shared = g.is_some() as u32 + h.is_some() as u32;
        let verdict = if faces > MOST_FACES + shared { Err(CROWDED) } else { changes.verdict() };
        let Err(reason) = verdict else { return Ok(()) };
        self.values.cost.set(seed, self.values.cost.get(seed) | REJECTED);
        Err(reason)
    }
    fn decide(&self, mesh: impl MeshRef, cavity: &Cavity<'_, Edge>) -> Result<Join, Rejection> {
        let v = &self.values;
        let ends = cavity.ends();
        let open = |u: VertexId| cavity.find(u).is_some();
        let (ends, kind) = kind::joined(ends, ends.map(|u| v.kind.get(u)), open).ok_or(PINNED)?;
        if cavity.len() > MOST_AROUND {
            return Err(CROWDED);
        }
        let mut drift = 0.0;
        if v.has(BOUNDED) {
            drift = self.drift(mesh, cavity, ends);
            let near = RESERVE * drift <= v.bound;
            if !near {
                return Err(TOO_FAR);
            }
        }
        let marked = v.marks.around_collapse(mesh, cavity, ends).ok_or(CROWDED)?;
        Ok(Join { ends, kind, marked, drift })
    }
    fn fill(cavity: &Cavity<'_, Edge>, join: &Join, fill: &mut impl Fill) -> Result<Collapsed, Rejection> {
        collapse_edge(cavity, join.ends, fill)
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, join: &Join, _: (), made: &Collapsed) {
        let (v, [a, b]) = (&self.values, join.ends);
        v.marks.mark_fan(cavity, &made.fan, join.marked);
        // read the values of the ends before the new vertex gets its own: it may have the id of one end. An
        // end that stays is read by no other cavity, since all of its faces are in this one
        let place = self.place(cavity.seed());
        let p = wide(place);
        let (to_a, to_b) = (p - wide(v.x.get(a)), p - wide(v.x.get(b)));
        let input = v.input.get(if to_b.dot(to_b) < to_a.dot(to_a) { b } else { a });
        let mut quadric = Quadric::load(v.quadrics, a).moved(to_a);
        quadric = quadric.plus(&Quadric::load(v.quadrics, b).moved(to_b));
        if v.has(BOUNDED) {
            quadric.drift = join.drift as f64;
        }
        let vertex = cavity.vertex_of(made.vertex);
        v.x.set(vertex, place);
        v.kind.set(vertex, join.kind);
        v.input.set(vertex, input);
        quadric.store(v.quadrics, vertex);
        if v.has(CHECKED) {
            v.seeds.set(vertex, cavity.seed().index() + 1);
        }
    }
}
