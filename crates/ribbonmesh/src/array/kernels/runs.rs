//! Sums of runs: values that follow each other and have equal keys.
//!
//! Tiles cut runs into pieces, one block sums the pieces of its tile. Pieces with their keys are an array
//! like the one before, and shorter by up to [`TILE`] times, so that the host repeats this until no run is
//! cut. What is added to what depends on the keys alone.
use crate::array::kernels::number::Number;
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Arena, Block, In, Out, Pod, Shared, TILE, kernel};

/// Elements that one iteration adds at most.
const CHUNK: u32 = 32;

/// Whether element `i` of the tile at `base` begins a piece.
#[inline(always)]
fn begins(keys: In<'_, u64>, base: u32, i: u32) -> bool {
    i == 0 || keys.get(base + i) != keys.get(base + i - 1)
}

/// `sums[t]` = pieces of tile `t`; `sums[tiles + 1]`, which begins as 0, counts tiles that begin within a
/// run.
#[kernel(threads = 256)]
pub fn count_pieces<'a>(block: &Block, keys: In<'a, u64>, n: u32, sums: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let count = block.count_where(len, |i| begins(keys, base, i));
        block.single_nosync(|| {
            sums.set(base / TILE, count);
            if base > 0 && keys.get(base) == keys.get(base - 1) {
                atomic::fetch_add(sums, n.div_ceil(TILE) + 1, 1, Relaxed, Device);
            }
        });
    });
}

fn memory<S: Pod>(arena: &Arena) -> (Shared<'_, u32>, Shared<'_, S>) {
    (arena.take(TILE), arena.take(TILE))
}

/// The key and the sum of each piece of `n` values, given the prefix sums of the numbers of pieces. Values of
/// a piece are added in their order up to the next multiple of [`CHUNK`] places, then such sums in their
/// order.
#[kernel(for T in [f32, f64, u32, i32, u64], threads = 256, shared = memory::<T::Total>(arena))]
pub fn sum_pieces<'a, T: Number>(
    block: &Block,
    keys: In<'a, u64>,
    n: u32,
    x: In<'a, T>,
    sums: In<'a, u32>,
    piece_keys: Out<'a, u64>,
    piece_sums: Out<'a, T::Total>,
) {
    let (rank, part) = memory::<T::Total>(block.arena());
    block.for_each_tile(n, |base, len| {
        let begins = |i: u32| begins(keys, base, i);
        let value = |i: u32| x.get(base + i).total();
        block.for_each(len, |i| rank.set(i, begins(i) as u32));
        block.exclusive_scan(rank, len);
        block.for_each(len, |i| {
            if i % CHUNK == 0 || begins(i) {
                let (mut sum, mut j) = (value(i), i + 1);
                while j < len && j % CHUNK != 0 && !begins(j) {
                    sum = sum.plus(value(j));
                    j += 1;
                }
                part.set(i, sum);
            }
        });
        let before = sums.get(base / TILE);
        block.for_each(len, |i| {
            if begins(i) {
                let piece = rank.get(i);
                let (mut sum, mut j) = (part.get(i), (i / CHUNK + 1) * CHUNK);
                // no other piece has begun since
                while j < len && rank.get(j) == piece + 1 && !begins(j) {
                    sum = sum.plus(part.get(j));
                    j += CHUNK;
                }
                piece_keys.set(before + piece, keys.get(base + i));
                piece_sums.set(before + piece, sum);
            }
        });
    });
}
