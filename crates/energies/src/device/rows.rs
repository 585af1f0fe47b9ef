//! Matrices of blocks of 3 × 3 numbers as compressed rows of single numbers.
use super::unroll::unroll;
use ribbonmesh::device::{Each, In, Out, kernel};

/// The first entry of each row, and the end. Elements: rows of numbers, and one more.
#[kernel(threads = 256)]
pub fn starts_of_blocks<'a>(i: Each, starts: In<'a, u32>, to: Out<'a, u32>) {
    let (row, k) = (i / 3, i % 3);
    let first = starts.get(row);
    // the last one is the first row of no block
    let length = if k > 0 { starts.get(row + 1) - first } else { 0 };
    to.set(i, 9 * first + 3 * k * length);
}
/// Columns and entries of a block. Elements: blocks.
#[kernel(threads = 256)]
pub fn entries_of_blocks<'a>(
    place: Each,
    starts: In<'a, u32>,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    numbers: In<'a, f64>,
    to_columns: Out<'a, u32>,
    to_values: Out<'a, f64>,
) {
    let row = rows.get(place);
    let first = starts.get(row);
    let length = starts.get(row + 1) - first;
    unroll!(r < 3 => {
        unroll!(c < 3 => {
            let at = 9 * first + 3 * (r as u32 * length + place - first) + c as u32;
            to_columns.set(at, 3 * columns.get(place) + c as u32);
            to_values.set(at, numbers.get(9 * place + 3 * r as u32 + c as u32));
        });
    });
}
