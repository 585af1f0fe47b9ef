//! Splitting edges that are too long.
use super::place::{butterfly, middle};
use super::values::{HELD, KEEP_BOUNDARY, LABELS, SLIVER, Values};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Edge, Parameter};
use ribbonmesh::dynamic::templates::FacesOfEdge;
use ribbonmesh::dynamic::{
    Cavity, Filled, LocalEdge, MeshRef, Operator, Rejection, coarse, fillings, operator,
};
use ribbonmesh::features::triangle::{normal, smallest_sine};

/// Splits edges longer than the upper length, the longest first, at the point of the butterfly scheme, or in
/// the middle. Columns get the mean of the ends.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Split<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

impl Split<'_> {
    /// The four faces that a split at `p` makes of an edge a b with the opposite vertices c and d.
    #[inline(always)]
    fn halves([a, b, c, d]: [Vec3; 4], p: Vec3) -> [[Vec3; 3]; 4] {
        [[a, p, c], [p, b, c], [b, p, d], [p, a, d]]
    }
    /// Whether a point other than the middle is good: no face turns, and none is a sliver.
    #[inline(always)]
    fn good(&self, corners: [Vec3; 4], p: Vec3) -> bool {
        let [a, b, c, d] = corners;
        let (n, m) = (normal([a, b, c]), normal([b, a, d]));
        let faces = Self::halves(corners, p);
        let (mut good, mut k) = (true, 0);
        while k < 4 {
            let face = if k == 0 {
                faces[0]
            } else if k == 1 {
                faces[1]
            } else if k == 2 {
                faces[2]
            } else {
                faces[3]
            };
            let of_face = normal(face);
            good &= n.dot(m) < 0.0 || of_face.dot(n) > 0.0 && of_face.dot(m) > 0.0;
            good &= smallest_sine(face) >= self.values.criteria.sine;
            k += 1;
        }
        good
    }
}

#[operator(seed = Edge, cavity = FacesOfEdge, filling = fillings::SplitEdge)]
impl Operator for Split<'_> {
    /// Position of the new vertex.
    type Decision = Vec3;

    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let (v, diamond) = (&self.values, edge.diamond()?);
        if v.criteria.has(KEEP_BOUNDARY) && diamond.on_boundary() {
            return None;
        }
        let [a, b] = diamond.ends();
        let longest = v.criteria.longest * v.scale([a, b]);
        let ratio = v.square(a, b) / (longest * longest);
        (ratio > 1.0).then(|| coarse(ratio))
    }
    fn decide(&self, mesh: impl MeshRef, cavity: &Cavity<'_, Edge>) -> Result<Vec3, Rejection> {
        let v = &self.values;
        let between = middle(v, cavity.ends());
        let Some(corners) = mesh.diamond(cavity.seed()).and_then(|diamond| diamond.corners()) else {
            return Ok(between);
        };
        let held = v.held(corners[0]) || v.held(corners[1]) || v.held(corners[2]) || v.held(corners[3]);
        let corners = corners.map(|u| v.x.get(u));
        let [a, b, c, d] = corners;
        if !held
            && let Some(p) = butterfly(mesh, v, cavity.seed())
            && self.good(corners, p)
        {
            return Ok(p);
        }
        // half of a face without area would have none
        let twice = |n: Vec3| sqrt(n.length_squared());
        let least = twice(normal([a, b, c])).min(twice(normal([b, a, d])));
        if 0.5 * least < v.criteria.area { Err(SLIVER) } else { Ok(between) }
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, place: &Vec3, _: (), made: &fillings::Split) {
        let (v, [a, b], new) = (&self.values, cavity.ends(), cavity.vertex_of(made.middle));
        let (of_a, of_b) = (v.rank.get(a), v.rank.get(b));
        v.rank.set(new, (of_a & !HELD).min(of_b & !HELD) | (of_a | of_b) & HELD);
        v.columns.set_mean(new, [a, b]);
        v.set_scale(new, [a, b]);
        if v.criteria.has(LABELS) {
            v.labels.set(new, v.labels.get(a));
        }
        v.x.set(new, *place);
    }
}
