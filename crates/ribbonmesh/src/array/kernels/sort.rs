//! A stable radix sort of 64-bit keys, alone or with 32-bit values: eight bits a pass.
//!
//! A pass is three launches. Every tile counts its digits; the counts of each digit are summed over the
//! tiles; every tile sorts its digits in shared memory, twice by four bits, and writes them to where they
//! belong. The bytes that a pass moves are 8 (counting), 12 and 12 per key.
use crate::device::{Arena, Block, Each, In, Out, Shared, TILE, kernel};

/// Values of a digit.
pub const DIGITS: u32 = 256;
/// Keys that a block sorts.
pub const SORT_TILE: u32 = 2048;
const THREADS: u32 = 256;
const PER_THREAD: u32 = SORT_TILE / THREADS;
/// Counters of a thread: 16 values of half a digit, two to a word.
const COUNTERS: u32 = 8;

#[inline(always)]
fn tile(block: &Block, n: u32) -> (u32, u32) {
    let base = block.index() * SORT_TILE;
    (base, if n - base < SORT_TILE { n - base } else { SORT_TILE })
}
#[inline(always)]
fn digit(key: u64, shift: u32) -> u32 {
    (key >> shift) as u32 & (DIGITS - 1)
}

/// Counts each digit in each tile: `counts[digit * tiles + tile]`. One block per tile.
#[kernel(threads = 256, shared = arena.take::<u32>(DIGITS))]
pub fn count_digits<'a>(block: &Block, keys: In<'a, u64>, n: u32, shift: u32, counts: Out<'a, u32>) {
    count_tile(block, keys, n, shift, |d, count| counts.set(d * block.count() + block.index(), count));
}
/// Counts each digit in the block's tile, and gives `set` each digit and its number.
#[inline(always)]
pub(super) fn count_tile(block: &Block, keys: In<'_, u64>, n: u32, shift: u32, set: impl Fn(u32, u32)) {
    let bins = block.shared::<u32>(DIGITS);
    let (base, len) = tile(block, n);
    block.for_each(DIGITS, |d| bins.set(d, 0));
    block.for_each(len, |i| {
        bins.fetch_add(digit(keys.get(base + i), shift), 1);
    });
    block.for_each_nosync(DIGITS, |d| set(d, bins.get(d)));
}

/// Sums a digit's counts: `counts[digit * tiles + tile]` becomes the sum of the counts of the tiles before,
/// `totals[digit]` that of all. One block per digit.
#[kernel(threads = 256, shared = arena.take::<u32>(TILE))]
pub fn sum_digits<'a>(block: &Block, counts: Out<'a, u32>, tiles: u32, totals: Out<'a, u32>) {
    sum_row(block, counts, block.index() * tiles, tiles, totals);
}
/// Replaces the counts of a row by the sums of those before; their sum is the block's of `totals`.
#[inline(always)]
pub(super) fn sum_row(block: &Block, counts: Out<'_, u32>, row: u32, tiles: u32, totals: Out<'_, u32>) {
    let part = block.shared::<u32>(TILE);
    let (mut base, mut before) = (0, 0);
    while base < tiles {
        let len = if tiles - base < TILE { tiles - base } else { TILE };
        block.for_each(len, |i| part.set(i, counts.get(row + base + i)));
        let total = block.exclusive_scan(part, len);
        // iteration i reads what the next round's iteration i writes
        block.for_each_nosync(len, |i| counts.set(row + base + i, before + part.get(i)));
        before += total;
        base += len;
    }
    block.single_nosync(|| totals.set(block.index(), before));
}

type Memory<'b> = [Shared<'b, u32>; 5];
pub(super) fn memory(arena: &Arena) -> Memory<'_> {
    let list = padded(SORT_TILE);
    [
        arena.take(list),
        arena.take(list),
        arena.take(COUNTERS * THREADS),
        arena.take(DIGITS),
        arena.take(DIGITS),
    ]
}
/// Place `i` of a list, so that threads that read runs of [`PER_THREAD`] places use different banks.
#[inline(always)]
const fn padded(i: u32) -> u32 {
    i + i / PER_THREAD
}

/// Sorts entries stably by the four bits from `shift` on: thread `t` counts its own run, the sums over all
/// counters (values first, then threads) are the new index of each entry.
#[inline(always)]
fn sort_half(
    block: &Block,
    len: u32,
    shift: u32,
    from: Shared<'_, u32>,
    to: Shared<'_, u32>,
    counters: Shared<'_, u32>,
) {
    let half = |entry: u32| entry >> shift & 15;
    let each_of_run = |t: u32, f: &dyn Fn(u32)| {
        let (first, mut k) = (t * PER_THREAD, 0);
        while k < PER_THREAD && first + k < len {
            f(from.get(padded(first + k)));
            k += 1;
        }
    };
    let counter = |half: u32, t: u32| (half & 7) * THREADS + t;
    let one = |half: u32| 1 << (16 * (half >> 3));
    block.for_each(THREADS, |t| {
        let mut c = 0;
        while c < COUNTERS {
            counters.set(counter(c, t), 0);
            c += 1;
        }
        each_of_run(t, &|entry| {
            let at = counter(half(entry), t);
            counters.set(at, counters.get(at) + one(half(entry)));
        });
    });
    let total = block.exclusive_scan(counters, COUNTERS * THREADS);
    // values from 8 on are counted in the high halves and follow all lower ones
    let lower = total & 0xffff;
    block.for_each(THREADS, |t| {
        each_of_run(t, &|entry| {
            let at = counter(half(entry), t);
            let sums = counters.get(at);
            counters.set(at, sums + one(half(entry)));
            to.set(padded(if half(entry) < 8 { sums & 0xffff } else { (sums >> 16) + lower }), entry);
        });
    });
}

/// Writes the keys and values of a tile to where their digits belong; keys alone where `values` is empty. One
/// block per tile.
#[kernel(threads = 256, shared = memory(arena))]
pub fn scatter_digits<'a>(
    block: &Block,
    keys: In<'a, u64>,
    values: In<'a, u32>,
    n: u32,
    shift: u32,
    counts: In<'a, u32>,
    totals: In<'a, u32>,
    sorted_keys: Out<'a, u64>,
    sorted_values: Out<'a, u32>,
) {
    let before = |d: u32| counts.get(d * block.count() + block.index());
    let of = Digits { n, shift, start: 0 };
    let (from, to) = ((keys, values), (sorted_keys, sorted_values));
    scatter_tile(block, of, from, |d| totals.get(d), before, to);
}
/// The keys that a block sorts: a tile of `n` keys, by the digit from `shift` on, to places from `start` on.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    pub n: u32,
    pub shift: u32,
    pub start: u32,
}
/// Writes the keys and values of the block's tile to where their digits belong, given the number of each
/// digit among the keys that are sorted together, and in the tiles before.
#[inline(always)]
pub(super) fn scatter_tile(
    block: &Block,
    Digits { n, shift, start: origin }: Digits,
    (keys, values): (In<'_, u64>, In<'_, u32>),
    total: impl Fn(u32) -> u32,
    before: impl Fn(u32) -> u32,
    (sorted_keys, sorted_values): (Out<'_, u64>, Out<'_, u32>),
) {
    let [list, other, counters, first, start] = memory(block.arena());
    let ((base, len), with_values) = (tile(block, n), !values.is_empty());
    // entries: digit and place in the tile
    block.for_each_nosync(len, |i| list.set(padded(i), digit(keys.get(base + i), shift) << 16 | i));
    block.for_each(DIGITS, |d| first.set(d, total(d)));
    block.exclusive_scan(first, DIGITS);
    sort_half(block, len, 16, list, other, counters);
    sort_half(block, len, 20, other, list, counters);
    block.for_each_nosync(DIGITS, |d| first.set(d, origin + first.get(d) + before(d)));
    block.for_each(len, |i| {
        let d = list.get(padded(i)) >> 16;
        if i == 0 || d != list.get(padded(i - 1)) >> 16 {
            start.set(d, i);
        }
    });
    block.for_each_nosync(len, |i| {
        let entry = list.get(padded(i));
        let (d, from) = (entry >> 16, base + (entry & 0xffff));
        let to = first.get(d) + i - start.get(d);
        sorted_keys.set(to, keys.get(from));
        if with_values {
            sorted_values.set(to, values.get(from));
        }
    });
}

/// Each of `n` numbers as a key; `numbers[i] = i`.
#[kernel(threads = 256)]
pub fn number_keys<'a>(i: Each, from: In<'a, u32>, keys: Out<'a, u64>, numbers: Out<'a, u32>) {
    keys.set(i, from.get(i) as u64);
    numbers.set(i, i);
}
