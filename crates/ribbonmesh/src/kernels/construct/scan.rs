//! Exclusive prefix sums of arrays in global memory, in three launches, and filling.
use crate::device::{Block, In, Out, TILE, kernel};

/// `sums[t]` = sum of the t-th tile of `values`.
#[kernel(threads = 256)]
pub fn tile_sums<'a>(block: &Block, values: In<'a, u32>, n: u32, sums: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let sum = block.reduce(len, 0u32, |i| values.get(base + i), |a, b| a + b);
        block.single_nosync(|| sums.set(base / TILE, sum));
    });
}

/// Exclusive prefix sum of `sums[0..n]` in place; the total goes to `sums[n]`. One block.
#[kernel(threads = 1024, shared = arena.take::<u32>(TILE))]
pub fn scan_sums<'a>(block: &Block, sums: Out<'a, u32>, n: u32) {
    let part = block.shared::<u32>(TILE);
    let (mut base, mut carry) = (0, 0);
    while base < n {
        let len = if n - base < TILE { n - base } else { TILE };
        block.for_each(len, |i| part.set(i, sums.get(base + i)));
        let total = block.exclusive_scan(part, len);
        block.for_each(len, |i| sums.set(base + i, carry + part.get(i)));
        carry += total;
        base += TILE;
    }
    block.single_nosync(|| sums.set(n, carry));
}

/// `values[i]` becomes the sum of those before it, given the prefix sums of the tiles.
#[kernel(threads = 256, shared = arena.take::<u32>(TILE))]
pub fn scan_tiles<'a>(block: &Block, values: Out<'a, u32>, n: u32, sums: In<'a, u32>) {
    let part = block.shared::<u32>(TILE);
    block.for_each_tile(n, |base, len| {
        block.for_each(len, |i| part.set(i, values.get(base + i)));
        block.exclusive_scan(part, len);
        let before = sums.get(base / TILE);
        block.for_each(len, |i| values.set(base + i, before + part.get(i)));
    });
}

/// Sets `values[0..n]` to `value`.
#[kernel(threads = 256)]
pub fn fill<'a>(block: &Block, values: Out<'a, u32>, n: u32, value: u32) {
    block.for_each_of_tile(n, |i| values.set(i, value));
}

/// `to[at[i]] = values[i]` for i < n.
#[kernel(threads = 256)]
pub fn put<'a>(block: &Block, n: u32, at: In<'a, u32>, values: In<'a, u32>, to: Out<'a, u32>) {
    block.for_each_of_tile(n, |i| to.set(at.get(i), values.get(i)));
}
