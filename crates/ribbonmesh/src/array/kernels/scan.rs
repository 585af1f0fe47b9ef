//! Prefix sums of arrays in global memory, in three launches.
use crate::device::{Block, In, Out, TILE, kernel};

/// `sums[t]` = sum of the t-th tile of `values`.
#[kernel(threads = 256)]
pub fn tile_sums<'a>(block: &Block, values: In<'a, u32>, n: u32, sums: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let sum = block.reduce(len, 0u32, |i| values.get(base + i), |a, b| a + b);
        block.single_nosync(|| sums.set(base / TILE, sum));
    });
}

/// Exclusive prefix sum of `sums[0..n]` in place; the total is stored in `sums[n]`. One block.
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

/// `values[i]` becomes the sum of the values before it, given the prefix sums of the tiles.
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

/// `values[i]` becomes the sum of the values before it and itself, given the prefix sums of the tiles.
#[kernel(threads = 256, shared = arena.take::<u32>(TILE))]
pub fn scan_tiles_inclusive<'a>(block: &Block, values: Out<'a, u32>, n: u32, sums: In<'a, u32>) {
    let part = block.shared::<u32>(TILE);
    block.for_each_tile(n, |base, len| {
        block.for_each(len, |i| part.set(i, values.get(base + i)));
        block.exclusive_scan(part, len);
        let before = sums.get(base / TILE);
        block.for_each(len, |i| values.set(base + i, before + part.get(i) + values.get(base + i)));
    });
}

/// Bits of the lower half of a tile's sum: each half fits 32 bits after [`TILE`] of them have been added.
const HALF: u32 = 21;

/// Exclusive prefix sums of the 64-bit sums of `n` tiles of 32-bit values, lowest 32 bits each; the sum of
/// all is stored in `total`. One block.
#[kernel(threads = 1024, shared = (arena.take::<u32>(TILE), arena.take::<u32>(TILE)))]
pub fn scan_wide_sums<'a>(block: &Block, wide: In<'a, u64>, n: u32, sums: Out<'a, u32>, total: Out<'a, u64>) {
    let (low, high) = (block.shared::<u32>(TILE), block.shared::<u32>(TILE));
    let (mut base, mut carry) = (0, 0u64);
    while base < n {
        let len = if n - base < TILE { n - base } else { TILE };
        block.for_each(len, |i| {
            let sum = wide.get(base + i);
            low.set(i, sum as u32 & ((1 << HALF) - 1));
            high.set(i, (sum >> HALF) as u32);
        });
        let both = block.exclusive_scan(low, len) as u64;
        let both = both + ((block.exclusive_scan(high, len) as u64) << HALF);
        // iteration i reads what the next round's iteration i writes
        block.for_each_nosync(len, |i| {
            let before = carry + low.get(i) as u64 + ((high.get(i) as u64) << HALF);
            sums.set(base + i, before as u32);
        });
        carry += both;
        base += TILE;
    }
    block.single_nosync(|| total.set(0, carry));
}
