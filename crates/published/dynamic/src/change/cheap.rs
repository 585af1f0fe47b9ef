//! Collapses in the order of quadric errors, for simplification.
use super::attempt::Attempt;
use super::collapse::CollapseShort;
use super::operator::StoreOperator;
use ribbonmesh::device::NONE;

/// Collapses vertices onto neighbours, which stay where they are, where that costs less than a limit: the sum
/// of both vertices' quadrics at the one that stays (Garland and Heckbert 1997). Of the edges of a vertex the
/// cheapest for which no face turns by more than 60° or becomes a sliver. Vertices on the boundary stay, and
/// those with more than 64 faces. Quadrics are attributes; as many cavities are filled as the budget has.
#[derive(Clone, Copy, Debug)]
pub struct CollapseCheap;

impl CollapseCheap {
    /// The vertex onto which `v` is collapsed, and the cost.
    #[inline(always)]
    fn target(a: &Attempt<'_, '_>, v: u32) -> Option<(u32, f32)> {
        let attributes = &a.change.attributes;
        let (from, z) = (attributes.quadric(a.draft.place(0, v)), a.x(v));
        let (mut to, mut least) = (NONE, a.change.criteria.costliest);
        let closed = a.star(v, |f, i| {
            let u = a.draft.corner(f, (i + 1) % 3);
            let cost = from.cost(&attributes.quadric(a.draft.place(0, u)), z, a.x(u));
            if cost < least && CollapseShort::may::<false>(a, v, u) {
                (to, least) = (u, cost);
            }
        });
        (closed && to != NONE).then_some((to, least))
    }
}

impl StoreOperator for CollapseCheap {
    const SEED: usize = 0;
    const WIDE: bool = true;
    // a vertex gets the quadric of one other at a time
    const APART: bool = true;
    const COUNTED: bool = true;

    #[inline(always)]
    fn rank(a: &Attempt<'_, '_>, v: u32) -> Option<u32> {
        let target = Self::target(a, v);
        a.memory.targets.set(v, target.map_or(NONE, |(to, _)| to));
        target.map(|(_, cost)| cost.to_bits() >> 16)
    }
    #[inline(always)]
    fn faces(a: &Attempt<'_, '_>, v: u32, f: impl FnMut(u32)) {
        CollapseShort::faces(a, v, f);
    }
    #[inline(always)]
    fn inside(a: &Attempt<'_, '_>, v: u32, edge: u32) -> bool {
        CollapseShort::inside(a, v, edge)
    }
    #[inline(always)]
    fn allowed(a: &Attempt<'_, '_>, v: u32) -> bool {
        CollapseShort::allowed(a, v)
    }
    #[inline(always)]
    fn makes(a: &Attempt<'_, '_>, v: u32, f: impl FnMut(u32, u32)) {
        CollapseShort::makes(a, v, f);
    }
    #[inline(always)]
    fn fill(a: &Attempt<'_, '_>, v: u32, fresh: impl Fn(usize, u32) -> u32) -> [i32; 3] {
        let attributes = &a.change.attributes;
        let places = [v, a.memory.targets.get(v)].map(|v| a.own_place(0, v));
        let ([q, r], [from, to]) =
            (places.map(|at| attributes.quadric(at)), places.map(|at| attributes.position(at)));
        attributes.put_quadric(places[1], &q.joined(&r, from, to));
        CollapseShort::fill(a, v, fresh)
    }
}
