//! Splitting edges that are too long.
use super::values::{FIXED, PROJECTED, SIZED, Values};
use ribbonmesh::device::{ElementKind, NONE, Parameter};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, coarse, operators, templates};
use ribbonmesh_features::Marking;
use ribbonmesh_features::kind::{CURVE, FREE};

/// Splits edges longer than 4/3 of the target length in the middle, the longest first.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Split<'a>(pub Values<'a>);

impl Operator for Split<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = false;
    const GROWS: bool = true;
    const LOCAL: bool = true;
    #[inline(always)]
    fn propose(&self, mesh: DynamicView<'_>, seed: u32) -> Option<f32> {
        let v = &self.0;
        let sides = mesh.sides(seed);
        if v.has(FIXED) && (sides[0] == NONE || sides[1] == NONE) {
            return None;
        }
        let [a, b] = mesh.ends_of(sides);
        let ratio = v.ratio(a, b);
        (ratio > 16.0 / 9.0).then_some(coarse(ratio))
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        templates::of_edge(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let v = self.0;
        let [a, b] = cavity.ends();
        let marked = v.marks.get(cavity.seed);
        let end = |u: u32| u == a || u == b;
        let mut marking = Marking::new(fill, v.marks, |from, to| marked && (end(from) || end(to)));
        let middle = operators::split_edge(cavity, &mut marking);
        fill.write(|| {
            v.x.set(middle, 0.5 * (v.x.get(a) + v.x.get(b)));
            v.kind.set(middle, if marked || cavity.deleted_faces() == 1 { CURVE } else { FREE });
            if v.has(SIZED) {
                v.size.set(middle, 0.5 * (v.size.get(a) + v.size.get(b)));
            }
            if v.has(PROJECTED) {
                v.near.set(middle, v.near.get(a));
            }
        });
    }
}
ribbonmesh_dynamic::operator! {
    /// Of [`Split`].
    Split<'a>: split_claim SplitClaim, split_apply SplitApply
}
