//! Products of sparse matrices: the entries that a product has, and their numbers.
use super::rows::{Rows, for_each_row};
use ribbonmesh::device::{Block, Each, In, Out, kernel};
use ribbonmesh_linear::Real;

/// Room for the columns of each row of a product: the number of products of entries, or that of columns.
/// Elements: rows.
#[kernel(threads = 256)]
pub fn count_products<'a>(row: Each, most: u32, a: Rows<'a>, b: Rows<'a>, to: Out<'a, u32>) {
    let (mut k, end) = a.range(row);
    let mut sum = 0_u32;
    while k < end && sum < most {
        let (first, last) = b.range(a.columns.get(k));
        sum = sum.saturating_add(last - first);
        k += 1;
    }
    to.set(row, if sum < most { sum } else { most });
}

/// The columns of each row of a product, ascending: each column that is new is inserted into those found
/// before. `starts` has the row's room in `list`. Blocks: rows.
#[kernel(threads = 128)]
pub fn merge_columns<'a>(
    block: &Block,
    n: u32,
    a: Rows<'a>,
    b: Rows<'a>,
    starts: In<'a, u32>,
    list: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    for_each_row(block, n, |row| {
        let (base, mut len) = (starts.get(row), 0);
        let (mut k, end) = a.range(row);
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
        counts.set(row, len);
    });
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
