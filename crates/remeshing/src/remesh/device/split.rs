//! Splitting edges that are too long.
use super::values::{CHECKED, FAR, JOINT, OF_MIDDLE, PROJECTED, SHARP, SIZED, Values};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Edge, Parameter, VertexId};
use ribbonmesh::dynamic::templates::FacesOfEdge;
use ribbonmesh::dynamic::{Cavity, Filled, LocalEdge, MeshRef, Operator, coarse, fillings, operator};
use ribbonmesh::features::kind::{CORNER, CURVE, FREE};

/// The priority of a split at the foot of a vertex: below those of lengths.
const LAST: f32 = 1e-3;

/// Splits edges longer than 4/3 of the target length in the middle, the longest first; and, where features
/// are merged, edges of features at the foot of an opposite vertex that is so close that it can be collapsed
/// onto them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Split<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

impl Split<'_> {
    /// The point at which the feature a b is split for an opposite vertex, `c` or `d`: the foot of that
    /// vertex, as a part of the way from a to b. `None` if an end of the edge is as close to the foot.
    #[inline(always)]
    fn foot(&self, [a, b, c, d]: [VertexId; 4]) -> Option<f32> {
        self.foot_of([a, b, c]).or(self.foot_of([a, b, d]))
    }
    #[inline(always)]
    fn foot_of(&self, [a, b, apex]: [VertexId; 3]) -> Option<f32> {
        let (v, kind) = (&self.values, self.values.kind.get(apex));
        let [p, along, to] = [v.x.get(a), v.x.get(b) - v.x.get(a), v.x.get(apex) - v.x.get(a)];
        let (square, dot) = (along.length_squared(), along.dot(to));
        let height = sqrt((v.x.get(apex) - (p + along * (dot / square))).length_squared());
        let target = v.target(a, b);
        // each of two features moves half of the way; a corner stays, and the feature moves all of it
        let way = if kind == CORNER { height } else { 0.5 * height };
        let moved = v.moved.get(a).max(v.moved.get(b)).max(v.moved.get(apex));
        let length = sqrt(square);
        let part = dot / square;
        let between = part * length > height && (1.0 - part) * length > height;
        let close = height < v.merge * target && moved + way <= FAR * target;
        (close && between && kind != JOINT).then_some(part)
    }
}

#[operator(seed = Edge, cavity = FacesOfEdge, filling = fillings::SplitEdge)]
impl Operator for Split<'_> {
    /// Whether the edge is marked; read before one of its halves gets its id.
    type Gathered = bool;

    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let (v, diamond) = (&self.values, edge.diamond()?);
        let [a, b] = diamond.ends();
        if diamond.on_boundary() && v.stays(a, b) {
            return None;
        }
        // by length, not by the ratio: with the ratio, where targets differ, a face's longest side would
        // never be split, and its other sides would be halved towards it without an end
        let square = (v.x.get(a) - v.x.get(b)).length_squared();
        let over = |l: f32| square / (l * l);
        if over(v.target(a, b)) > 16.0 / 9.0 {
            return Some(coarse(over(v.length)));
        }
        if v.has(SHARP) && v.merge > 0.0 && v.marks.get(edge.id()) {
            return self.foot(diamond.corners()?).map(|_| LAST);
        }
        None
    }
    fn gather(&self, cavity: &Cavity<'_, Edge>, _: &()) -> bool {
        self.values.marks.get(cavity.seed())
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, _: &(), marked: bool, made: &fillings::Split) {
        let v = &self.values;
        let ([a, b], middle) = (cavity.ends(), cavity.vertex_of(made.middle));
        let mut x = 0.5 * (v.x.get(a) + v.x.get(b));
        if v.has(SHARP) && v.merge > 0.0 && marked && cavity.len() == 4 && v.ratio(a, b) <= 16.0 / 9.0 {
            let [c, d] = [1, 3].map(|i| cavity.vertex(i));
            if let Some(part) = self.foot([a, b, c, d]) {
                x = v.x.get(a) + part * (v.x.get(b) - v.x.get(a));
            }
        }
        v.x.set(middle, x);
        v.kind.set(middle, if marked || cavity.deleted_faces() == 1 { CURVE } else { FREE });
        if v.has(SIZED) {
            v.size.set(middle, v.size_between(a, b));
        }
        if v.has(CHECKED) {
            v.barred.set(middle, v.barred.get(a) & v.barred.get(b) & OF_MIDDLE);
        }
        if v.has(PROJECTED) {
            v.near.set(middle, v.near.get(a));
        }
        if v.has(SHARP) {
            v.moved.set(middle, if marked { v.moved.get(a).max(v.moved.get(b)) } else { 0.0 });
        }
        let mut k = 0;
        while v.marks.some() && k < made.edges {
            v.marks.set(cavity.new_edge(k), marked && k % 2 == 0);
            k += 1;
        }
    }
}
