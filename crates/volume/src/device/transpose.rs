//! Transposes: counted, scanned, filled, and sorted, so that the result does not depend on the order of
//! threads (Mueller-Roemer 2020, listing 3.1).
use super::tcsr::{TcsrView, decode, encode, key, of_key};
use ribbonmesh::corners::sort_by_heap;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// Longer rows are not sorted by one thread.
pub const LONG: u32 = 1024;
/// Rows up to this length are sorted by insertion.
const SHORT: u32 = 24;

/// Counts the entries of each column; `places[k]` is the place of entry `k` within its column, in any order.
/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_columns<'a>(k: Each, entries: In<'a, i32>, counts: Out<'a, u32>, places: Out<'a, u32>) {
    let (column, _) = decode(entries.get(k));
    places.set(k, atomic::fetch_add(counts, column, 1, Relaxed, Device));
}

/// Writes each entry where its place says. Blocks: tiles of rows.
#[kernel(threads = 256)]
pub fn fill_transpose<'a>(
    row: Each,
    from: TcsrView<'a>,
    places: In<'a, u32>,
    starts: In<'a, u32>,
    to: Out<'a, i32>,
) {
    let (mut k, end) = from.range(row);
    while k < end {
        let (column, sign) = from.entry(k);
        to.set(starts.get(column) + places.get(k), encode(row, sign < 0));
        k += 1;
    }
}

/// Sorts `entries[start..end]` by column and sign: one thread's own part of memory.
#[inline(always)]
pub fn sort_entries(entries: Out<'_, i32>, start: u32, end: u32) {
    let n = end - start;
    let get = |i: u32| key(entries.get(start + i));
    let set = |i: u32, key: u32| entries.set(start + i, of_key(key));
    if n <= SHORT {
        let mut i = 1;
        while i < n {
            let (value, mut j) = (get(i), i);
            while j > 0 && get(j - 1) > value {
                set(j, get(j - 1));
                j -= 1;
            }
            set(j, value);
            i += 1;
        }
    } else {
        sort_by_heap(n, get, set);
    }
}

/// Sorts the rows of at most [`LONG`] entries; `long[0]` becomes 1 where there is a longer one. Blocks:
/// tiles.
#[kernel(threads = 128)]
pub fn sort_rows<'a>(row: Each, starts: In<'a, u32>, entries: Out<'a, i32>, long: Out<'a, u32>) {
    let (start, end) = (starts.get(row), starts.get(row + 1));
    if end - start <= LONG {
        sort_entries(entries, start, end);
    } else {
        atomic::store(long, 0, 1, Relaxed, Device);
    }
}

/// For each entry the key of its place in the transpose, and the value at that place. Blocks: tiles of rows.
#[kernel(threads = 256)]
pub fn transposed_entries<'a>(row: Each, from: TcsrView<'a>, columns: Out<'a, u32>, entries: Out<'a, i32>) {
    let (mut k, end) = from.range(row);
    while k < end {
        let (column, sign) = from.entry(k);
        columns.set(k, column);
        entries.set(k, encode(row, sign < 0));
        k += 1;
    }
}

/// Records in `wrong[0]` the smallest row with an entry whose column is not below `columns`. Blocks: tiles of
/// rows.
#[kernel(threads = 256)]
pub fn check_columns<'a>(row: Each, columns: u32, from: TcsrView<'a>, wrong: Out<'a, u32>) {
    let mut fine = true;
    from.of(row, |column, _| fine &= column < columns);
    if !fine {
        atomic::fetch_min(wrong, 0, row, Relaxed, Device);
    }
}
