//! A patch's part of the stored ring, in shared memory.
use ribbonmesh::corners::RingView;
use ribbonmesh::device::{Arena, Block, Quad, Shared};

/// Memory for a patch's chains and the start of each vertex's chains.
pub type RingMemory<'b> = (Shared<'b, Quad>, Shared<'b, u32>);

/// Reserves memory for the patch that has the most entries.
#[inline(always)]
pub fn layout<'b>(ring: RingView<'_>, arena: &'b Arena, vertices: u32) -> RingMemory<'b> {
    (arena.take(ring.most / 8), arena.take(vertices + 1))
}
/// Loads the chains of the `owned` vertices from `first` on; no barrier.
#[inline(always)]
pub fn stage_nosync(
    ring: RingView<'_>,
    block: &Block,
    (first, owned): (u32, u32),
    (chains, starts): RingMemory<'_>,
) {
    let (base, end) = (ring.start(first), ring.start(first + owned));
    let from = ring.chains.at(base).wide::<Quad>();
    block.for_each_ahead_nosync::<Quad, 2>(
        (end - base) / 8,
        |i| from.get(i),
        || block.for_each_nosync(owned + 1, |v| starts.set(v, ring.start(first + v) - base)),
        |i, q| chains.set(i, q),
    );
}
/// Range of the chains of local vertex `v`.
#[inline(always)]
pub fn range(memory: RingMemory<'_>, v: u32) -> (u32, u32) {
    (memory.1.get(v), memory.1.get(v + 1))
}
