//! The kernels.
use crate::corners::{BREAK, Rows, RowsLayout};
use crate::device::{Arena, Block, Counts, In, MeshView, Out, Shared, kernel};
use crate::ring::chain;

fn ring_memory<'b>(arena: &'b Arena, counts: &Counts) -> (RowsLayout<'b>, Shared<'b, u32>) {
    (Rows::layout(arena, counts), arena.take(counts.v_owned + 1))
}
/// The chains of a patch: its joined rows, where each vertex's entries begin, and their number.
#[inline(always)]
fn chains_of_patch<'b>(block: &'b Block, mesh: MeshView<'_>) -> (Rows<'b>, Shared<'b, u32>, u32) {
    let p = mesh.patch(block.index());
    let (layout, starts) = ring_memory(block.arena(), &p.counts);
    let rows = Rows::transpose(block, &p, layout, || ());
    block.for_each(p.v.owned, |v| {
        let (start, end) = rows.range(v);
        chain::join(rows.corners(), start, end);
        starts.set(v, chain::entries(rows.corners(), start, end, |_, _| ()));
    });
    let total = block.exclusive_scan(starts, p.v.owned);
    (rows, starts, total)
}
/// The number of entries of each patch's chains.
#[kernel(threads = 128, shared = ring_memory(arena, &mesh.max))]
pub fn ring_lengths<'a>(block: &Block, mesh: MeshView<'a>, lengths: Out<'a, u32>) {
    let (_, _, total) = chains_of_patch(block, mesh);
    block.single_nosync(|| lengths.set(block.index(), total));
}
/// The chains of each patch, from `bases[patch]` on, and the index of the first chain of each vertex. `bases`
/// ends with the end.
#[kernel(threads = 128, shared = ring_memory(arena, &mesh.max))]
pub fn ring_chains<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    bases: In<'a, u32>,
    starts: Out<'a, u32>,
    chains: Out<'a, u16>,
) {
    let v = mesh.patch(block.index()).v;
    let (rows, at, total) = chains_of_patch(block, mesh);
    let (base, end) = (bases.get(block.index()), bases.get(block.index() + 1));
    block.for_each_nosync(v.owned, |l| {
        let (first, last) = rows.range(l);
        let to = base + at.get(l);
        starts.set(v.first + l, to);
        chain::entries(rows.corners(), first, last, |i, entry| chains.set(to + i, entry));
    });
    block.for_each_nosync(end - base - total, |i| chains.set(base + total + i, BREAK));
    if block.index() + 1 == block.count() {
        let owned_end = v.first + v.owned;
        block.for_each_nosync(mesh.vertices - owned_end, |i| starts.set(owned_end + i, end));
    }
}
