//! Splitting edges that are too long.
use super::values::{FIXED, PROJECTED, SHARP, SIZED, Values};
use ribbonmesh::device::{Edge, Parameter};
use ribbonmesh::dynamic::templates::FacesOfEdge;
use ribbonmesh::dynamic::{Cavity, Filled, LocalEdge, MeshRef, Operator, coarse, fillings, operator};
use ribbonmesh::features::kind::{CURVE, FREE};

/// Splits edges longer than 4/3 of the target length in the middle, the longest first.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Split<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

#[operator(seed = Edge, cavity = FacesOfEdge, filling = fillings::SplitEdge)]
impl Operator for Split<'_> {
    /// Whether the edge is marked, before one of its halves gets its id.
    type Gathered = bool;

    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let (v, diamond) = (&self.values, edge.diamond()?);
        if v.has(FIXED) && diamond.on_boundary() {
            return None;
        }
        let [a, b] = diamond.ends();
        // by length, not by the ratio: where targets differ, a face's longest side would never have its turn, and its
        // others be halved towards it without an end
        let square = (v.x.get(a) - v.x.get(b)).length_squared();
        let over = |l: f32| square / (l * l);
        (over(v.target(a, b)) > 16.0 / 9.0).then_some(coarse(over(v.length)))
    }
    fn gather(&self, cavity: &Cavity<'_, Edge>, _: &()) -> bool {
        self.values.marks.get(cavity.seed())
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, _: &(), marked: bool, made: &fillings::Split) {
        let v = &self.values;
        let ([a, b], middle) = (cavity.ends(), cavity.vertex_of(made.middle));
        v.x.set(middle, 0.5 * (v.x.get(a) + v.x.get(b)));
        v.kind.set(middle, if marked || cavity.deleted_faces() == 1 { CURVE } else { FREE });
        if v.has(SIZED) {
            v.size.set(middle, v.size_between(a, b));
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
