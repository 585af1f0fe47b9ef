//! A stable radix sort on several cards: each card sorts the keys that it has, then all keys go to where they
//! belong once.
//!
//! The tiles of the keys are cut into chunks as launches are cut into parts, so that a card sorts its own
//! chunk in its own memory. Every [`STEP`]-th key is a sample. Samples are sorted, and each [`samples`]-th of
//! them begins a piece of the result: what lies between two of them in each chunk, at most [`PIECE`] keys
//! together. A block merges a piece in shared memory. It reads one run of keys of each chunk and writes one
//! run, so that a key that changes its card crosses once.
use super::sort::{DIGITS, Digits, SORT_TILE, count_tile, memory, scatter_tile, sum_row};
use crate::device::{Arena, Block, Each, In, Out, Shared, TILE, kernel};

/// Chunks that can be merged.
pub const MOST_CHUNKS: u32 = 16;
/// Keys of which one is a sample.
pub const STEP: u32 = 128;
/// Keys that a block merges at most.
pub const PIECE: u32 = 4096;
const _: () = assert!(SORT_TILE.is_multiple_of(STEP) && PIECE / STEP > MOST_CHUNKS);

/// Samples from the first of a piece to that of the next. A piece has the keys of so many samples, and less
/// than [`STEP`] keys of each chunk before its first sample there.
pub const fn samples(chunks: u32) -> u32 {
    PIECE / STEP - chunks
}
/// The first tile of a chunk: that of the first block of a card's part of a launch.
#[inline(always)]
pub fn first_tile(tiles: u32, chunks: u32, chunk: u32) -> u32 {
    (tiles as u64 * chunk as u64 / chunks as u64) as u32
}
/// The chunk of a tile.
#[inline(always)]
pub fn chunk_of(tiles: u32, chunks: u32, tile: u32) -> u32 {
    (((tile as u64 + 1) * chunks as u64).div_ceil(tiles as u64) - 1) as u32
}
/// The place of the first key of a chunk; that behind the last chunk is the end.
#[inline(always)]
fn first_key(n: u32, chunks: u32, chunk: u32) -> u32 {
    let key = first_tile(n.div_ceil(SORT_TILE), chunks, chunk) as u64 * SORT_TILE as u64;
    if key < n as u64 { key as u32 } else { n }
}

/// The counts of a chunk: a row of its tiles for each digit, one chunk after the other.
#[derive(Clone, Copy)]
struct Counts {
    chunk: u32,
    first: u32,
    tiles: u32,
}
impl Counts {
    #[inline(always)]
    fn of(tiles: u32, chunks: u32, chunk: u32) -> Self {
        let first = first_tile(tiles, chunks, chunk);
        Self { chunk, first, tiles: first_tile(tiles, chunks, chunk + 1) - first }
    }
    /// Those of a block's tile.
    #[inline(always)]
    fn of_block(block: &Block, chunks: u32) -> Self {
        Self::of(block.count(), chunks, chunk_of(block.count(), chunks, block.index()))
    }
    #[inline(always)]
    fn row(self, digit: u32) -> u32 {
        self.first * DIGITS + digit * self.tiles
    }
}

/// Counts each digit in each tile. One block per tile.
#[kernel(threads = 256, shared = arena.take::<u32>(DIGITS))]
pub fn count_in_chunks<'a>(
    block: &Block,
    keys: In<'a, u64>,
    n: u32,
    chunks: u32,
    shift: u32,
    counts: Out<'a, u32>,
) {
    let own = Counts::of_block(block, chunks);
    count_tile(block, keys, n, shift, |d, count| counts.set(own.row(d) + block.index() - own.first, count));
}

/// Sums the counts of a digit in a chunk; its total is `totals[chunk * 256 + digit]`. One block for each
/// digit of each chunk, in this order.
#[kernel(threads = 256, shared = arena.take::<u32>(TILE))]
pub fn sum_in_chunks<'a>(block: &Block, counts: Out<'a, u32>, tiles: u32, totals: Out<'a, u32>) {
    let (chunks, digit) = (block.count() / DIGITS, block.index() % DIGITS);
    let own = Counts::of(tiles, chunks, block.index() / DIGITS);
    sum_row(block, counts, own.row(digit), own.tiles, totals);
}

/// Writes the keys and values of a tile to where their digits belong in its chunk; keys alone where `values`
/// is empty. One block per tile.
#[kernel(threads = 256, shared = memory(arena))]
pub fn scatter_in_chunks<'a>(
    block: &Block,
    keys: In<'a, u64>,
    values: In<'a, u32>,
    n: u32,
    chunks: u32,
    shift: u32,
    counts: In<'a, u32>,
    totals: In<'a, u32>,
    sorted_keys: Out<'a, u64>,
    sorted_values: Out<'a, u32>,
) {
    let own = Counts::of_block(block, chunks);
    let of = Digits { n, shift, start: own.first * SORT_TILE };
    let total = |d: u32| totals.get(own.chunk * DIGITS + d);
    let before = |d: u32| counts.get(own.row(d) + block.index() - own.first);
    scatter_tile(block, of, (keys, values), total, before, (sorted_keys, sorted_values));
}

/// Every [`STEP`]-th key, and its place.
#[kernel(threads = 256)]
pub fn sample_keys<'a>(i: Each, keys: In<'a, u64>, samples: Out<'a, u64>, places: Out<'a, u32>) {
    samples.set(i, keys.get(i * STEP));
    places.set(i, i * STEP);
}

/// The number of keys from `first` to `end`, which are sorted, that are less than a key; or equal to it, if
/// they are to be `before` it.
#[inline(always)]
fn rank(key: u64, before: bool, first: u32, end: u32, at: impl Fn(u32) -> u64) -> u32 {
    let (mut low, mut high) = (first, end);
    while low < high {
        let middle = low + (high - low) / 2;
        let other = at(middle);
        if other < key || before && other == key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low - first
}

/// Where each piece begins in each chunk, and the end: `splits[piece * chunks + chunk]`. The first key of a
/// piece is the sample of `order`, the places of the sorted samples; `mask` has the bits that are compared.
#[kernel(threads = 256)]
pub fn split_chunks<'a>(
    i: Each,
    keys: In<'a, u64>,
    n: u32,
    chunks: u32,
    mask: u64,
    order: In<'a, u32>,
    splits: Out<'a, u32>,
) {
    let (piece, chunk) = (i / chunks, i % chunks);
    let (first, end) = (first_key(n, chunks, chunk), first_key(n, chunks, chunk + 1));
    let sample = piece as u64 * samples(chunks) as u64;
    if sample >= order.len() as u64 {
        return splits.set(i, end);
    }
    let at = order.get(sample as u32);
    let own = chunk_of(n.div_ceil(SORT_TILE), chunks, at / SORT_TILE);
    let masked = |i: u32| keys.get(i) & mask;
    // equal keys keep the order of the chunks
    let place = if chunk == own { at } else { first + rank(masked(at), chunk < own, first, end, masked) };
    splits.set(i, place);
}

/// The keys of a piece; for each chunk the first of them in the piece, and in the chunk; one entry more for
/// the number of keys, and for their first place in the result.
fn memory_of_piece(arena: &Arena) -> (Shared<'_, u64>, [Shared<'_, u32>; 2]) {
    (arena.take(PIECE), [arena.take(MOST_CHUNKS + 1), arena.take(MOST_CHUNKS + 1)])
}

/// Merges the keys of a piece and their values; keys alone where `values` is empty. One block per piece.
#[kernel(threads = 256, shared = memory_of_piece(arena))]
pub fn merge_chunks<'a>(
    block: &Block,
    keys: In<'a, u64>,
    values: In<'a, u32>,
    n: u32,
    chunks: u32,
    mask: u64,
    splits: In<'a, u32>,
    merged_keys: Out<'a, u64>,
    merged_values: Out<'a, u32>,
) {
    let (list, [begin, from]) = memory_of_piece(block.arena());
    let with_values = !values.is_empty();
    let split = |chunk: u32| block.index() * chunks + chunk;
    block.for_each(chunks, |c| from.set(c, splits.get(split(c))));
    block.single_nosync(|| {
        let (mut c, mut len, mut place) = (0, 0, 0);
        while c < chunks {
            begin.set(c, len);
            len += splits.get(split(chunks + c)) - from.get(c);
            place += from.get(c) - first_key(n, chunks, c);
            c += 1;
        }
        begin.set(chunks, len);
        from.set(chunks, place);
    });
    block.sync();
    let (len, place) = (begin.get(chunks), from.get(chunks));
    let chunk = |i: u32| {
        let mut c = 0;
        while begin.get(c + 1) <= i {
            c += 1;
        }
        c
    };
    block.for_each(len, |i| {
        let c = chunk(i);
        list.set(i, keys.get(from.get(c) + i - begin.get(c)));
    });
    block.for_each_nosync(len, |i| {
        let (own, key) = (chunk(i), list.get(i));
        let (mut c, mut to) = (0, place + i - begin.get(own));
        while c < chunks {
            if c != own {
                let (first, end) = (begin.get(c), begin.get(c + 1));
                to += rank(key & mask, c < own, first, end, |i| list.get(i) & mask);
            }
            c += 1;
        }
        merged_keys.set(to, key);
        if with_values {
            merged_values.set(to, values.get(from.get(own) + i - begin.get(own)));
        }
    });
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    /// A chunk is what one card has of the tiles, and of the blocks of a launch.
    #[test]
    fn chunks_are_the_parts_of_cards() {
        for chunks in 1..=MOST_CHUNKS {
            for tiles in [chunks, chunks + 1, 1000, 4097, u32::MAX.div_ceil(SORT_TILE)] {
                for chunk in 0..chunks {
                    let part = crate::machine::part(tiles, chunks as usize, chunk as usize);
                    assert_eq!(part.start, first_tile(tiles, chunks, chunk));
                    assert_eq!(part.end, first_tile(tiles, chunks, chunk + 1));
                    for tile in [part.start, part.end - 1] {
                        assert_eq!(chunk_of(tiles, chunks, tile), chunk, "tile {tile} of {tiles}");
                    }
                }
            }
        }
    }
}
