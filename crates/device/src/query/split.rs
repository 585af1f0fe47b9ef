//! Transposition as a multisplit (thesis 4.3.2.2, Listing 4.3), by two-pass counting.
use super::Rows;
use crate::{Block, In, Quad, Shared};

/// Loads `n` 16-byte words into shared memory, two per thread under way at a time; no barrier.
#[inline(always)]
pub(super) fn stage_nosync(block: &Block, from: In<'_, Quad>, to: Shared<'_, Quad>, n: u32) {
    block.for_each_ahead_nosync::<Quad, 2>(n, |i| from.get(i), || (), |i, q| to.set(i, q));
}

/// Counters for [`split`], cleared; no barrier. `starts` has one entry more than rows.
#[inline(always)]
pub(super) fn clear_nosync(block: &Block, starts: Shared<'_, u32>) {
    block.for_each_nosync(starts.len(), |i| starts.set(i, 0));
}

/// Sorts entries into rows: `entry(i)`, for `i < n`, gives `K` pairs of row and value, and pairs whose row is
/// not below `rows` are dropped. The counters are 32 bits wide and in shared memory; nothing limits the
/// number of entries per thread. Within a row the order is not determined. `starts` is cleared, behind a
/// barrier. Collective, ends with a barrier.
#[inline(always)]
pub(super) fn split<'b, const K: usize>(
    block: &Block,
    rows: u32,
    (starts, list, shift): (Shared<'b, u32>, Shared<'b, u16>, u32),
    n: u32,
    entry: impl Fn(u32) -> [(u32, u32); K],
) -> Rows<'b> {
    block.for_each(n, |i| {
        for (row, _) in entry(i) {
            if row < rows {
                starts.fetch_add(row + 1, 1);
            }
        }
    });
    let total = block.exclusive_scan(starts, rows + 1);
    // the counter of row i is at index i + 1, so that it ends as the start of row i + 1
    block.for_each(n, |i| {
        for (row, value) in entry(i) {
            if row < rows {
                list.set(shift + starts.fetch_add(row + 1, 1), value as u16);
            }
        }
    });
    Rows { starts, list, shift, rows, total }
}
