//! Collapsing edges that are too short.
use super::place::middle;
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Edge, EdgeId, HalfEdge, Parameter, VertexId};
use ribbonmesh::dynamic::fillings::{Collapsed, collapse_edge};
use ribbonmesh::dynamic::templates::StarsOfEdge;
use ribbonmesh::dynamic::{
    Cavity, Decision, Fill, Filled, LocalEdge, MeshRef, Operator, Rejection, coarse, operator,
};
use ribbonmesh::features::triangle::{SLIVER as DEGENERATE, normal, quality, smallest_sine};

/// Greatest distance of a removed boundary vertex from the line between its neighbours on the boundary, as a
/// part of that line's length.
const FLAT: f32 = 0.02;
/// Greatest shift of the joined vertex to keep the volume, in lengths of the edge.
const SHIFT: f32 = 0.5;

/// Collapses edges shorter than the lower length, the shortest first: to the middle, moved so that the volume
/// stays, or onto the end of higher rank or on the boundary. Columns get the mean of the ends, or the values
/// at the end that stays.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Collapse<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

/// Decision of a collapse: the vertices that it joins, and where.
#[derive(Clone, Copy, Decision)]
pub struct Join {
    /// The ends: first the one that keeps its position, if one does.
    ends: [VertexId; 2],
    /// The point at which they are joined.
    place: Vec3,
    /// Whether neither end stays.
    between: bool,
}

/// Sums over the faces around both ends.
#[derive(Clone, Copy)]
struct Around {
    /// The sum of the normals of all faces, twice their areas long; the faces at the edge count half at
    /// either end.
    normals: Vec3,
    /// Six times the volume between them and the point at which the ends are joined.
    volume: f32,
}

impl Collapse<'_> {
    /// Decides how the ends of an edge would be joined, before the checks of the faces around. Also returns
    /// the half-edges at the ends.
    #[inline(always)]
    fn join(&self, mesh: impl MeshRef, seed: EdgeId) -> Result<(Join, [HalfEdge; 2]), Rejection> {
        let v = &self.values;
        let sides = mesh.sides(seed);
        let Some(at_a) = sides[0].or(sides[1]) else { return Err(PINNED) };
        let at_b = at_a.next();
        let [a, b] = [mesh.from(at_a), mesh.from(at_b)];
        let open = [mesh.on_boundary(at_a), mesh.on_boundary(at_b)];
        if (open[0] || open[1]) && v.criteria.has(KEEP_BOUNDARY) || v.held(a) || v.held(b) {
            return Err(PINNED);
        }
        let stays = |ends: [VertexId; 2], at: [HalfEdge; 2]| {
            Ok((Join { ends, place: v.x.get(ends[0]), between: false }, at))
        };
        let (a_first, b_first) = (([a, b], [at_a, at_b]), ([b, a], [at_b, at_a]));
        if open[0] && open[1] {
            if sides[0].is_some() && sides[1].is_some() {
                return Err(PINNED);
            }
            // the flatter one is removed
            let (of_a, of_b) = (self.bend(mesh, at_a, b), self.bend(mesh, at_b, a));
            if of_a.min(of_b) > FLAT {
                return Err(PINNED);
            }
            return if of_b <= of_a { stays(a_first.0, a_first.1) } else { stays(b_first.0, b_first.1) };
        }
        let rank = |u: VertexId| if v.criteria.has(RANKS) { v.rank.get(u) } else { 1 };
        let (of_a, of_b) = (rank(a), rank(b));
        if open[0] || !open[1] && of_a > of_b {
            return stays(a_first.0, a_first.1);
        }
        if open[1] || of_b > of_a {
            return stays(b_first.0, b_first.1);
        }
        let mut join = Join { ends: [a, b], place: middle(v, [a, b]), between: true };
        if v.criteria.has(KEEP_VOLUME) {
            let (p, q) = (self.around(mesh, at_a, b, join.place), self.around(mesh, at_b, a, join.place));
            let n = p.normals + q.normals;
            let by = n * ((p.volume + q.volume) / n.length_squared());
            if by.length_squared() < SHIFT * SHIFT * v.square(a, b) {
                join.place += by;
            }
        }
        Ok((join, [at_a, at_b]))
    }
    /// The height of a vertex of the boundary, the start of `h`, over the line between its neighbours there,
    /// one of which is `other`, in lengths of that line.
    #[inline(always)]
    fn bend(&self, mesh: impl MeshRef, h: HalfEdge, other: VertexId) -> f32 {
        let x = |u: VertexId| self.values.x.get(u);
        let mut next = other;
        mesh.neighbours(h, |u, side| {
            if u != other && mesh.twin(side).is_none() {
                next = u;
            }
            true
        });
        let (to_other, line) = (x(mesh.from(h)) - x(other), x(next) - x(other));
        let square = line.length_squared();
        // only a projection between the two neighbours is near the line
        let along = to_other.dot(line);
        if square > 0.0 && along > 0.0 && along < square {
            sqrt(to_other.cross(line).length_squared()) / square
        } else {
            f32::INFINITY
        }
    }
    /// Sums over the faces around one end, the start of `h`.
    #[inline(always)]
    fn around(&self, mesh: impl MeshRef, h: HalfEdge, other: VertexId, place: Vec3) -> Around {
        let x = |u: VertexId| self.values.x.get(u);
        let z = x(mesh.from(h));
        let mut sums = Around { normals: Vec3::ZERO, volume: 0.0 };
        mesh.star(h, |g| {
            let (u, w) = (mesh.to(g), mesh.opposite(g));
            let n = normal([z, x(u), x(w)]) * if u == other || w == other { 0.5 } else { 1.0 };
            sums.normals += n;
            sums.volume += n.dot(z - place);
            true
        });
        sums
    }
    /// The volume, times six, that is removed if the faces at one end, the start of `h`, follow it to the
    /// point where it is joined with `other`; or the reason why they may not.
    #[inline(always)]
    fn check(&self, mesh: impl MeshRef, h: HalfEdge, other: VertexId, p: Vec3) -> Result<f32, Rejection> {
        let (v, c) = (&self.values, &self.values.criteria);
        let end = mesh.from(h);
        let z = v.x.get(end);
        let (mut volume, mut reason) = (0.0, None);
        mesh.star(h, |g| {
            let (u, w) = (mesh.to(g), mesh.opposite(g));
            let (x, y) = (v.x.get(u), v.x.get(w));
            let stays = u != other && w != other;
            let (old, new) = (normal([z, x, y]), normal([p, x, y]));
            volume += old.dot(z - p) * if stays { 1.0 } else { 0.5 };
            let far = |u: VertexId, x: Vec3| {
                let (length, longest) = ((x - p).length_squared(), c.longest * v.scale([u, end]));
                u != other && length > longest * longest && length > (x - z).length_squared()
            };
            let (before, after) = (sqrt(old.length_squared()), sqrt(new.length_squared()));
            let found = if far(u, x) || far(w, y) {
                Some(TOO_LONG)
            } else if stays && quality([z, x, y], old) > DEGENERATE && new.dot(old) < 1e-3 * before * after {
                Some(TURNS)
            } else if stays && c.thin([p, x, y], after, [before, smallest_sine([z, x, y])]) {
                Some(SLIVER)
            } else {
                None
            };
            reason = reason.or(found);
            // on a GPU to the end, so that loads of one face need not wait for the verdict on another
            reason.is_none() || cfg!(target_arch = "nvptx64")
        });
        reason.map_or(Ok(volume), Err)
    }
    /// Whether a face at the edge has so little area that it has to be removed, whatever the change of the
    /// volume.
    #[inline(always)]
    fn tiny(&self, mesh: impl MeshRef, seed: EdgeId) -> bool {
        let (v, least) = (&self.values, self.values.criteria.area);
        let area = |h: HalfEdge| {
            let corners = [mesh.from(h), mesh.to(h), mesh.opposite(h)].map(|u| v.x.get(u));
            0.5 * sqrt(normal(corners).length_squared())
        };
        let [g, h] = mesh.sides(seed);
        g.is_some_and(|g| area(g) < least) || h.is_some_and(|h| area(h) < least)
    }
}

#[operator(seed = Edge, cavity = StarsOfEdge, in_place)]
impl Operator for Collapse<'_> {
    type Decision = Join;
    type Made = Collapsed;

    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let (v, [a, b]) = (&self.values, edge.diamond()?.ends());
        let shortest = v.criteria.shortest * v.scale([a, b]);
        let ratio = v.square(a, b) / (shortest * shortest);
        (ratio < 1.0).then(|| -coarse(ratio))
    }
    fn precheck(&self, mesh: impl MeshRef, seed: EdgeId) -> Result<(), Rejection> {
        let (join, [at_first, at_second]) = self.join(mesh, seed)?;
        let [a, b] = join.ends;
        let of_a = self.check(mesh, at_first, b, join.place)?;
        let of_b = self.check(mesh, at_second, a, join.place)?;
        let volume = (of_a + of_b) / 6.0;
        if volume.abs() > self.values.criteria.volume && !self.tiny(mesh, seed) {
            return Err(VOLUME);
        }
        Ok(())
    }
    fn decide(&self, mesh: impl MeshRef, cavity: &Cavity<'_, Edge>) -> Result<Join, Rejection> {
        self.join(mesh, cavity.seed()).map(|(join, _)| join)
    }
    fn fill(cavity: &Cavity<'_, Edge>, join: &Join, fill: &mut impl Fill) -> Result<Collapsed, Rejection> {
        collapse_edge(cavity, join.ends, fill)
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, join: &Join, _: (), made: &Collapsed) {
        let (v, [a, b]) = (&self.values, join.ends);
        if made.stays.is_some() {
            return;
        }
        // the new vertex has the id of one of the ends
        let new = cavity.vertex_of(made.vertex);
        v.rank.set(new, v.rank.get(a).max(v.rank.get(b)));
        v.set_scale(new, [a, b]);
        if join.between {
            v.columns.set_mean(new, [a, b]);
        } else {
            v.columns.copy(new, a);
        }
        v.x.set(new, join.place);
    }
}
