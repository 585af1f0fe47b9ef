//! Scan, reduce, compact, append, sort.
use crate::primitives::Parts;
use ribbonmesh::device::{Block, In, Out, kernel};

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
/// Per part: sum, minimum, whether one is 7, whether all are below 1000, how many divide by 3, sum in 64 bits (two
/// words), maximum as floats.
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
