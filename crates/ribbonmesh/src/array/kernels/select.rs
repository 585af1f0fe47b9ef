//! The places of flags that are set, in order.
use crate::device::{Block, In, Out, TILE, kernel};

/// `sums[t]` = how many flags of tile `t` are not 0.
#[kernel(threads = 256)]
pub fn count_flagged<'a>(block: &Block, flags: In<'a, u32>, n: u32, sums: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let count = block.count_where(len, |i| flags.get(base + i) != 0);
        block.single_nosync(|| sums.set(base / TILE, count));
    });
}

/// Lists the places of flags that are not 0, ascending, given the prefix sums of [`count_flagged()`].
#[kernel(threads = 256, shared = arena.take::<u32>(TILE))]
pub fn list_flagged<'a>(block: &Block, flags: In<'a, u32>, n: u32, sums: In<'a, u32>, list: Out<'a, u32>) {
    let rank = block.shared::<u32>(TILE);
    block.for_each_tile(n, |base, len| {
        let set = |i: u32| flags.get(base + i) != 0;
        block.for_each(len, |i| rank.set(i, set(i) as u32));
        block.exclusive_scan(rank, len);
        let before = sums.get(base / TILE);
        // iteration i reads what the next tile's iteration i writes
        block.for_each_nosync(len, |i| {
            if set(i) {
                list.set(before + rank.get(i), base + i);
            }
        });
    });
}
