//! Products of sparse matrices: the entries that a product has, and their numbers.
use super::aggregate::scramble;
use super::rows::{Rows, for_each_row};
use ribbonmesh::device::{Block, Each, In, NONE, Out, kernel};
use ribbonmesh_linear::Real;

/// Products of entries from which on a row is the work of a block.
const LONG: u32 = 128;
/// Slots of a block's table of columns.
const TABLE: u32 = 2048;
/// Columns that the table takes.
const MOST: u32 = 1536;

/// Room for the columns of each row of a product: the number of products of entries, or that of columns; and
/// whether the row has many products. Elements: rows.
#[kernel(threads = 256)]
pub fn count_products<'a>(
    row: Each,
    most: u32,
    a: Rows<'a>,
    b: Rows<'a>,
    to: Out<'a, u32>,
    long: Out<'a, u32>,
) {
    let (mut k, end) = a.range(row);
    let mut sum = 0_u32;
    while k < end {
        let (first, last) = b.range(a.columns.get(k));
        sum = sum.saturating_add(last - first);
        k += 1;
    }
    to.set(row, if sum < most { sum } else { most });
    long.set(row, (sum > LONG) as u32);
}

/// Inserts each column that is new into those of a row that were found before; how many there are.
#[inline(always)]
fn merge(row: u32, a: Rows<'_>, b: Rows<'_>, base: u32, list: Out<'_, u32>) -> u32 {
    let (mut k, end) = a.range(row);
    let mut len = 0;
    while k < end {
        let (mut at, last) = b.range(a.columns.get(k));
        while at < last {
            let column = b.columns.get(at);
            let (mut low, mut high) = (0, len);
            while low < high {
                let middle = (low + high) / 2;
                if list.get(base + middle) < column {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if low == len || list.get(base + low) != column {
                let mut to = len;
                while to > low {
                    list.set(base + to, list.get(base + to - 1));
                    to -= 1;
                }
                list.set(base + low, column);
                len += 1;
            }
            at += 1;
        }
        k += 1;
    }
    len
}
/// The columns, ascending, of each row that has not many products. `starts` has the row's room in `list`.
/// Blocks: rows.
#[kernel(threads = 128)]
pub fn merge_columns<'a>(
    block: &Block,
    n: u32,
    a: Rows<'a>,
    b: Rows<'a>,
    long: In<'a, u32>,
    starts: In<'a, u32>,
    list: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    for_each_row(block, n, |row| {
        if long.get(row) == 0 {
            counts.set(row, merge(row, a, b, starts.get(row), list));
        }
    });
}
/// The columns, ascending, of a row with many products: a table in shared memory, which is sorted. A row with
/// more columns than fit is one thread's work. Blocks: `rows`.
#[kernel(threads = 128, shared = (arena.take::<u32>(TABLE), arena.take::<u32>(1)))]
pub fn merge_long<'a>(
    block: &Block,
    rows: In<'a, u32>,
    a: Rows<'a>,
    b: Rows<'a>,
    starts: In<'a, u32>,
    list: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    let (table, count) = (block.shared::<u32>(TABLE), block.shared::<u32>(1));
    let row = rows.get(block.index());
    let (first, end) = a.range(row);
    block.single_nosync(|| count.set(0, 0));
    block.for_each(TABLE, |i| table.set(i, NONE));
    block.for_each(end - first, |i| {
        let (mut at, last) = b.range(a.columns.get(first + i));
        while at < last {
            let column = b.columns.get(at);
            let (mut slot, mut tries) = (scramble(column) % TABLE, 0);
            while tries < TABLE {
                let old = table.compare_exchange(slot, NONE, column);
                if old == NONE {
                    count.fetch_add(0, 1);
                }
                if old == NONE || old == column {
                    break;
                }
                slot = (slot + 1) % TABLE;
                tries += 1;
            }
            // without room, which no order of threads can bring about or prevent, the table is of no use
            at = if count.fetch_add(0, 0) > MOST { last } else { at + 1 };
        }
    });
    let found = count.get(0);
    let base = starts.get(row);
    if found > MOST {
        block.single_nosync(|| counts.set(row, merge(row, a, b, base, list)));
        return;
    }
    block.sort(table, TABLE);
    block.for_each_nosync(found, |i| list.set(base + i, table.get(i)));
    block.single_nosync(|| counts.set(row, found));
}

/// Moves the columns of each row together. `from` has the row's room in `list`, `starts` its first place.
/// Elements: rows.
#[kernel(threads = 256)]
pub fn pack_columns<'a>(
    row: Each,
    from: In<'a, u32>,
    list: In<'a, u32>,
    starts: In<'a, u32>,
    columns: Out<'a, u32>,
    rows: Out<'a, u32>,
) {
    let (mut k, end, mut at) = (starts.get(row), starts.get(row + 1), from.get(row));
    while k < end {
        columns.set(k, list.get(at));
        rows.set(k, row);
        k += 1;
        at += 1;
    }
}

/// A row of numbers of each block of C = A B, for blocks of A of H × K and of B of K × W numbers: the
/// products are added in the order of A's columns, in double precision. Blocks: rows of blocks of C.
#[kernel(
    for (R, H, K, W) in [
        (f32, 1, 1, 1), (f32, 3, 3, 3), (f32, 3, 3, 6), (f32, 6, 6, 6), (f32, 6, 3, 6),
        (f64, 1, 1, 1), (f64, 3, 3, 3), (f64, 3, 3, 6), (f64, 6, 6, 6), (f64, 6, 3, 6)
    ],
    threads = 128
)]
pub fn multiply_rows<'a, R: Real, const H: usize, const K: usize, const W: usize>(
    block: &Block,
    n: u32,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    a: Rows<'a>,
    of_a: In<'a, R>,
    b: Rows<'a>,
    of_b: In<'a, R>,
    to: Out<'a, R>,
) {
    let (h, w, inner) = (H as u32, W as u32, K as u32);
    for_each_row(block, n, |i| {
        let (place, r) = (i / h, i % h);
        let column = columns.get(place);
        let (mut k, end) = a.range(rows.get(place));
        let mut sum = [0.0_f64; W];
        while k < end {
            if let Some(at) = b.find(a.columns.get(k), column) {
                let mut m = 0;
                while m < inner {
                    let x = of_a.get((k * h + r) * inner + m).to_f64();
                    let from = (at * inner + m) * w;
                    let mut j = 0;
                    while j < W {
                        sum[j] += x * of_b.get(from + j as u32).to_f64();
                        j += 1;
                    }
                    m += 1;
                }
            }
            k += 1;
        }
        let mut j = 0;
        while j < W {
            to.set(i * w + j as u32, R::from_f64(sum[j]));
            j += 1;
        }
    });
}
