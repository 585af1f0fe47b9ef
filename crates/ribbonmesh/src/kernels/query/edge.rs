//! EV; and EF, EE and EVDiamond on meshes whose edges have at most two faces.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::query::{Diamond, DiamondLayout, Ee, EeLayout, Ef, EfLayout, Ids, IdsLayout, Run};
use crate::device::{Arena, Block, Counts, MeshView, NONE, Out, Quad, ResolveRibbon, kernel};
use crate::kernels::query::or_none;

/// The two vertices of every edge.
#[kernel(threads = 128)]
pub fn write_ev<'a>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let run = Run { out: values, base: 2 * p.e.first, n: 2 * p.e.owned };
    let ends = |e: u32| if e < p.e.owned { p.ev.get(e) as u64 } else { 0 };
    block.for_each_nosync(run.quads(), |g| {
        let e = (2 * g).wrapping_sub(run.shift() / 2);
        run.put(g, ends(e) | ends(e.wrapping_add(1)) << 32, |l| p.v.global(l));
    });
}

fn ef_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, EfLayout<'b>) {
    (Ids::layout(arena, counts.f_all), Ef::layout(arena, counts.e_owned))
}
/// The faces of every edge: two entries, by slot.
#[kernel(threads = 128, shared = ef_memory(arena, &mesh.max))]
pub fn write_ef<'a>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let (ids, memory) = ef_memory(block.arena(), &p.counts);
    let run = Run { out: values, base: 2 * p.e.first, n: 2 * p.e.owned };
    let ids = Ids::new(p.f, p.counts.f_all, ids);
    let ef = Ef::of_owned(block, &p, memory, run.shift(), ids);
    block.for_each_nosync(run.quads(), |g| run.put(g, ef.quad(g), or_none(ids)));
}

fn ee_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, EeLayout<'b>) {
    (Ids::layout(arena, counts.e_all), Ee::layout(arena, counts))
}
/// The edges that share a face with every edge: four entries, the next and the previous in the face of each
/// slot.
#[kernel(threads = 128, shared = ee_memory(arena, &mesh.max))]
pub fn write_ee<'a>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let (ids, memory) = ee_memory(block.arena(), &p.counts);
    let ids = Ids::new(p.e, p.counts.e_all, ids);
    let (ee, values) = (Ee::by_slots(block, &p, memory, ids), values.wide::<Quad>());
    block.for_each_nosync(p.e.owned, |e| values.set(p.e.first + e, Quad(ee.of(e).map(or_none(ids)))));
}

fn diamond_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, DiamondLayout<'b>) {
    (Ids::layout(arena, counts.v_all), Diamond::layout(arena, counts))
}
/// For every edge: its first vertex, the vertex opposite in the face of slot 0, its second vertex, the vertex
/// opposite in the face of slot 1.
#[kernel(threads = 128, shared = diamond_memory(arena, &mesh.max))]
pub fn write_ev_diamond<'a>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let (ids, memory) = diamond_memory(block.arena(), &p.counts);
    let ids = Ids::new(p.v, p.counts.v_all, ids);
    let (diamond, values) = (Diamond::of_two_sides(block, &p, memory, ids), values.wide::<Quad>());
    block.for_each_nosync(p.e.owned, |e| values.set(p.e.first + e, Quad(diamond.of(e).map(or_none(ids)))));
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
