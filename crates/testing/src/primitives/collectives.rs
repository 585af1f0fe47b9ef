//! Scan, reduce, compact, append, sort.
use crate::primitives::Parts;
use ribbonmesh::device::{Block, In, Out, Pod, bytemuck, kernel};

/// Scans each part in place; `totals` gets the sums.
#[kernel(threads = 128, shared = arena.take::<u32>(parts.most))]
pub fn scan<'a>(block: &Block, parts: Parts<'a>, values: Out<'a, u32>, totals: Out<'a, u32>) {
    let (at, n) = parts.of(block.index());
    let s = block.shared::<u32>(n);
    block.for_each(n, |i| s.set(i, values.get(at + i)));
    let total = block.exclusive_scan(s, n);
    block.for_each_nosync(n, |i| values.set(at + i, s.get(i)));
    block.single_nosync(|| totals.set(block.index(), total));
}

/// Words that [`reduce`] writes for each block.
pub const REDUCED: u32 = 8;
/// Per part: sum, minimum, whether one is 7, whether all are below 1000, how many divide by 3, sum in 64 bits
/// (two words), maximum as floats.
#[kernel(threads = 256)]
pub fn reduce<'a>(block: &Block, parts: Parts<'a>, values: In<'a, u32>, out: Out<'a, u32>) {
    let (at, n) = parts.of(block.index());
    let value = |i: u32| values.get(at + i);
    let sum = block.reduce(n, 0u32, value, |a, b| a.wrapping_add(b));
    let min = block.reduce(n, u32::MAX, value, |a, b| if a < b { a } else { b });
    let any = block.any(n, |i| value(i) == 7);
    let all = block.all(n, |i| value(i) < 1000);
    let count = block.count_where(n, |i| value(i) % 3 == 0);
    let wide = block.reduce(n, 0u64, |i| (value(i) as u64) << 20, |a, b| a + b);
    let max = block.reduce(n, 0f32, |i| value(i) as f32, |a, b| if a > b { a } else { b });
    block.single_nosync(|| {
        let result =
            [sum, min, any as u32, all as u32, count, wide as u32, (wide >> 32) as u32, max.to_bits()];
        for (k, v) in result.into_iter().enumerate() {
            out.set(REDUCED * block.index() + k as u32, v);
        }
    });
}

/// The sum, the least and the greatest of some numbers.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// The sum, which wraps around.
    pub sum: u32,
    /// The least; `u32::MAX` of none.
    pub least: u32,
    /// The greatest; 0 of none.
    pub greatest: u32,
}
/// The sum of some numbers, that of their squares, the greatest, and how many are odd.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figures {
    /// The sum.
    pub sum: u64,
    /// The sum of the squares.
    pub squares: u64,
    /// The greatest; 0 of none.
    pub greatest: f32,
    /// The number of odd ones.
    pub odd: u32,
}
/// Sixteen sums, of the numbers with each remainder.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Remainders {
    /// The sums.
    pub sums: [u32; 16],
}
macro_rules! plain { ($($t:ident)*) => { $(
    // SAFETY: plain numbers.
    unsafe impl bytemuck::Zeroable for $t {}
    // SAFETY: plain numbers without padding.
    unsafe impl Pod for $t {}
)* } }
plain!(Range Figures Remainders);

/// Values of 12, 24 and 64 bytes of each part, reduced. Twice, so that what a reduction leaves behind would
/// be seen.
#[kernel(threads = 256)]
pub fn reduce_structs<'a>(
    block: &Block,
    parts: Parts<'a>,
    values: In<'a, u32>,
    ranges: Out<'a, Range>,
    figures: Out<'a, Figures>,
    remainders: Out<'a, Remainders>,
) {
    let (at, n) = parts.of(block.index());
    let value = |i: u32| values.get(at + i);
    let mut round = 0;
    while round < 2 {
        let range = block.reduce(
            n,
            Range { sum: 0, least: u32::MAX, greatest: 0 },
            |i| Range { sum: value(i), least: value(i), greatest: value(i) },
            |a, b| Range {
                sum: a.sum.wrapping_add(b.sum),
                least: a.least.min(b.least),
                greatest: a.greatest.max(b.greatest),
            },
        );
        let found = block.reduce(
            n,
            Figures { sum: 0, squares: 0, greatest: 0.0, odd: 0 },
            |i| {
                let v = value(i) as u64;
                Figures { sum: v, squares: v * v, greatest: v as f32, odd: value(i) % 2 }
            },
            |a, b| Figures {
                sum: a.sum + b.sum,
                squares: a.squares + b.squares,
                greatest: if a.greatest < b.greatest { b.greatest } else { a.greatest },
                odd: a.odd + b.odd,
            },
        );
        let sums = block.reduce(
            n,
            Remainders { sums: [0; 16] },
            |i| {
                let v = value(i);
                Remainders { sums: core::array::from_fn(|k| if v % 16 == k as u32 { v } else { 0 }) }
            },
            |a, b| Remainders { sums: core::array::from_fn(|k| a.sums[k] + b.sums[k]) },
        );
        block.single_nosync(|| {
            ranges.set(2 * block.index() + round, range);
            figures.set(2 * block.index() + round, found);
            remainders.set(2 * block.index() + round, sums);
        });
        round += 1;
    }
}

/// The indices of odd values of each part, in order, at the part's place in `list`; `lengths` their number.
#[kernel(threads = 128, shared = (arena.take::<u32>(parts.most), arena.take::<u32>(parts.most)))]
pub fn compact<'a>(
    block: &Block,
    parts: Parts<'a>,
    values: In<'a, u32>,
    list: Out<'a, u32>,
    lengths: Out<'a, u32>,
) {
    let (at, n) = parts.of(block.index());
    let (rank, found) = (block.shared::<u32>(n), block.shared::<u32>(n));
    let length = block.compact(n, rank, found, |i| values.get(at + i) % 2 == 1);
    block.for_each_nosync(length, |k| list.set(at + k, found.get(k)));
    block.single_nosync(|| lengths.set(block.index(), length));
}

/// Appends the odd values of all parts to one list, whose length is `counter[0]`.
#[kernel(threads = 128)]
pub fn append<'a>(
    block: &Block,
    parts: Parts<'a>,
    values: In<'a, u32>,
    list: Out<'a, u32>,
    counter: Out<'a, u32>,
) {
    let (at, n) = parts.of(block.index());
    block.append(n, list, counter, 0, |i| {
        let v = values.get(at + i);
        (v % 2 == 1).then_some(v)
    });
}

/// Sorts each part.
#[kernel(threads = 128, shared = arena.take::<u32>(parts.most.next_power_of_two()))]
pub fn sort<'a>(block: &Block, parts: Parts<'a>, values: Out<'a, u32>) {
    let (at, n) = parts.of(block.index());
    let s = block.shared::<u32>(n.next_power_of_two());
    block.for_each(n, |i| s.set(i, values.get(at + i)));
    block.sort(s, n);
    block.for_each_nosync(n, |i| values.set(at + i, s.get(i)));
}

/// Sorts each part of 64-bit values.
#[kernel(threads = 128, shared = arena.take::<u64>(parts.most.next_power_of_two()))]
pub fn sort_wide<'a>(block: &Block, parts: Parts<'a>, values: Out<'a, u64>) {
    let (at, n) = parts.of(block.index());
    let s = block.shared::<u64>(n.next_power_of_two());
    block.for_each(n, |i| s.set(i, values.get(at + i)));
    block.sort_u64(s, n);
    block.for_each_nosync(n, |i| values.set(at + i, s.get(i)));
}
