//! EV, EF, EE and EVDiamond. EF and EE are for meshes whose edges have at most two faces, EVDiamond for those
//! whose edges have at most two sides of faces.
use super::fixed::{Fixed, ids};
use super::{or_none, queries};
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::query::{self, Ahead, Diamond, Run};
use crate::device::{Arena, Block, Counts, MeshView, NONE, Out, Patch, ResolveRibbon, hi, kernel, lo};

queries! {
    /// The two vertices of every edge.
    Ev: Edge to Vertex, |c| c.v_near, |c| [c.e_owned, 0];
    /// The faces of every edge: two entries, by slot.
    Ef: Edge to Face, |c| c.f_all, |c| [0, c.f_all];
    /// The edges that share a face with every edge: four entries, the next and the previous in the face of
    /// each slot.
    Ee: Edge to Edge, |c| c.e_all, |c| [0, c.f_all];
    /// For every edge: its first vertex, the vertex opposite in the face of slot 0, its second vertex, the
    /// vertex opposite in the face of slot 1.
    EvDiamond: Edge to Vertex, |c| c.v_all, |c| [c.e_all, c.f_all];
}

impl Fixed for Ev {
    type Row = [u32; 2];
    fn carve(_: &Arena, _: &Counts) {}
    #[inline(always)]
    fn rows<'a>(_: &'a Block, p: Patch<'a>, _: impl Ahead) -> impl Fn(u32) -> [u32; 2] {
        move |e| [lo(p.ev.get(e)), hi(p.ev.get(e))]
    }
    fn carve_all(_: &Arena, _: &Counts) {}
    #[inline(always)]
    fn write<'a>(block: &'a Block, p: Patch<'a>, values: Out<'a, u32>) {
        let run = Run { out: values, base: 2 * p.e.first, n: 2 * p.e.owned };
        let ends = |e: u32| if e < p.e.owned { p.ev.get(e) as u64 } else { 0 };
        block.for_each_nosync(run.quads(), |g| {
            let e = (2 * g).wrapping_sub(run.shift() / 2);
            run.put(g, ends(e) | ends(e.wrapping_add(1)) << 32, |l| p.v.global(l));
        });
    }
}

impl Fixed for Ef {
    type Row = [u32; 2];
    fn carve(arena: &Arena, counts: &Counts) {
        query::Ef::layout(arena, counts.e_owned);
    }
    #[inline(always)]
    fn rows<'a>(block: &'a Block, p: Patch<'a>, ahead: impl Ahead) -> impl Fn(u32) -> [u32; 2] {
        let ef = query::Ef::of_owned(block, &p, query::Ef::layout(block.arena(), p.counts.e_owned), 0, ahead);
        move |e| ef.of(e)
    }
    #[inline(always)]
    fn write<'a>(block: &'a Block, p: Patch<'a>, values: Out<'a, u32>) {
        let (ids, memory) = (ids::<Self>(block, &p), query::Ef::layout(block.arena(), p.counts.e_owned));
        let run = Run { out: values, base: 2 * p.e.first, n: 2 * p.e.owned };
        let ef = query::Ef::of_owned(block, &p, memory, run.shift(), ids);
        block.for_each_nosync(run.quads(), |g| run.put(g, ef.quad(g), or_none(ids)));
    }
}

impl Fixed for Ee {
    type Row = [u32; 4];
    fn carve(arena: &Arena, counts: &Counts) {
        query::Ee::layout(arena, counts);
    }
    #[inline(always)]
    fn rows<'a>(block: &'a Block, p: Patch<'a>, ahead: impl Ahead) -> impl Fn(u32) -> [u32; 4] {
        let ee = query::Ee::by_slots(block, &p, query::Ee::layout(block.arena(), &p.counts), ahead);
        move |e| ee.of(e)
    }
}

impl Fixed for EvDiamond {
    type Row = [u32; 4];
    fn carve(arena: &Arena, counts: &Counts) {
        Diamond::layout(arena, counts);
    }
    #[inline(always)]
    fn rows<'a>(block: &'a Block, p: Patch<'a>, ahead: impl Ahead) -> impl Fn(u32) -> [u32; 4] {
        let diamond = Diamond::of_two_sides(block, &p, Diamond::layout(block.arena(), &p.counts), ahead);
        move |e| diamond.of(e)
    }
}

/// Edges that are more than two sides of faces: adds their number to `found[0]`, lowers `found[1]` to the
/// smallest.
#[kernel(threads = 128, shared = arena.take::<u32>(mesh.max.e_owned))]
pub fn non_manifold_edges<'a>(block: &Block, mesh: MeshView<'a>, found: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let sides = block.shared::<u32>(p.e.owned);
    block.for_each(p.e.owned, |e| sides.set(e, 0));
    block.for_each(3 * p.counts.f_all, |c| {
        let e = p.fe.get(c) as u32 >> 2;
        if e < p.e.owned {
            sides.fetch_add(e, 1);
        }
    });
    let first = |e: u32| if sides.get(e) > 2 { e } else { NONE };
    let n = block.count_where(p.e.owned, |e| sides.get(e) > 2);
    let least = block.reduce(p.e.owned, NONE, first, |a, b| if a < b { a } else { b });
    if n > 0 {
        block.single_nosync(|| {
            atomic::fetch_add(found, 0, n, Relaxed, Device);
            atomic::fetch_min(found, 1, p.e.first + least, Relaxed, Device);
        });
    }
}
