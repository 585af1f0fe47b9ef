//! Loops, values kept in registers, tiles, one result for the whole block.
use crate::primitives::Parts;
use ribbonmesh::device::{Block, In, Out, kernel};

/// Each value plus its successor's in the part (cyclic), and 1 if the part has a multiple of 499, by values
/// kept in registers across barriers: at most 1024.
#[kernel(threads = 128, shared = arena.take::<u32>(parts.most))]
pub fn registers<'a>(block: &Block, parts: Parts<'a>, values: In<'a, u32>, out: Out<'a, u32>) {
    let (at, n) = parts.of(block.index());
    let s = block.shared::<u32>(n);
    let kept = block.per_thread::<u32, 8>(n, |i| values.get(at + i));
    kept.for_each(|i, v| s.set(i, v));
    let sums = kept.map(|i, v| v.wrapping_add(s.get(if i + 1 < n { i + 1 } else { 0 })));
    let more = kept.any(|_, v| v.is_multiple_of(499)) as u32;
    sums.for_each(|i, v| out.set(at + i, v.wrapping_add(more)));
}

/// Each value plus the number of even values of its part, loaded ahead of the barriers in between.
#[kernel(threads = 128)]
pub fn ahead<'a>(block: &Block, parts: Parts<'a>, values: In<'a, u32>, out: Out<'a, u32>) {
    let (at, n) = parts.of(block.index());
    let mut even = 0;
    let count = || even = block.count_where(n, |i| values.get(at + i).is_multiple_of(2));
    // the count is uniform: it reaches the loop through memory
    block.for_each_ahead_nosync::<u32, 2>(n, |i| values.get(at + i), count, |i, v| out.set(at + i, v));
    block.sync();
    block.for_each_nosync(n, |i| out.set(at + i, out.get(at + i).wrapping_add(even)));
}

/// `out[i]` = 3 i over a flat array, and `tiles[t]` = the first index of tile t, computed once for the block.
#[kernel(threads = 256)]
pub fn flat<'a>(block: &Block, n: u32, out: Out<'a, u32>, tiles: Out<'a, u32>) {
    block.for_each_of_tile(n, |i| out.set(i, 3 * i));
    block.for_each_tile(n, |base, _| {
        let first = block.single(|| base as u64 + 1);
        block.single_nosync(|| tiles.set(base / ribbonmesh::device::TILE, (first - 1) as u32));
    });
}
