//! Rows of a sparse matrix, and their transposition.
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};
use ribbonmesh_linear::Real;

/// Elements of a block of threads, where an element is much work or there are few of them.
pub const ROWS: u32 = 128;

/// Runs `f` for the elements of this block. The launch has `n.div_ceil(ROWS)` blocks of [`ROWS`] threads.
#[inline(always)]
pub fn for_each_row(block: &Block, n: u32, f: impl Fn(u32)) {
    let first = ROWS * block.index();
    let rest = n.saturating_sub(first);
    block.for_each_nosync(if rest < ROWS { rest } else { ROWS }, |i| f(first + i));
}

/// The places of each row's entries, and their columns, which ascend within a row.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Rows<'a> {
    /// The first place of each row, and the end.
    pub starts: In<'a, u32>,
    /// The column of each place.
    pub columns: In<'a, u32>,
}
impl Rows<'_> {
    /// The first place of a row, and the end.
    #[inline(always)]
    pub fn range(&self, row: u32) -> (u32, u32) {
        (self.starts.get(row), self.starts.get(row + 1))
    }
    /// The place of a column in a row; the end of the row if there is none.
    #[inline(always)]
    pub fn find(&self, row: u32, column: u32) -> Option<u32> {
        let (mut low, end) = self.range(row);
        let mut high = end;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.columns.get(middle) < column {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < end && self.columns.get(low) == column { Some(low) } else { None }
    }
}

/// The row of each place. Records in `wrong[0]` the smallest row whose places do not follow those of the row
/// before, whose columns do not ascend or reach `of_columns`. Elements: rows.
#[kernel(threads = 256)]
pub fn rows_of_places<'a>(
    row: Each,
    places: u32,
    of_columns: u32,
    rows: Rows<'a>,
    to: Out<'a, u32>,
    wrong: Out<'a, u32>,
) {
    let (start, end) = rows.range(row);
    let mut sound = start <= end && end <= places && (row > 0 || start == 0);
    let (mut k, mut next) = (start, 0);
    while sound && k < end {
        let column = rows.columns.get(k);
        sound = column >= next && column < of_columns;
        next = column + 1;
        to.set(k, row);
        k += 1;
    }
    if !sound {
        atomic::fetch_min(wrong, 0, row, Relaxed, Device);
    }
}

/// Blocks of `height` rows and `width` columns, each transposed, in another order. Elements: numbers.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn transpose_blocks<'a, R: Real>(
    i: Each,
    height: u32,
    width: u32,
    places: In<'a, u32>,
    from: In<'a, R>,
    to: Out<'a, R>,
) {
    let numbers = height * width;
    let (block, k) = (i / numbers, i % numbers);
    let (row, column) = (k % height, k / height);
    to.set(i, from.get(places.get(block) * numbers + row * width + column));
}

/// Numbers in single precision. Elements: numbers.
#[kernel(threads = 256)]
pub fn narrow<'a>(i: Each, from: In<'a, f64>, to: Out<'a, f32>) {
    to.set(i, from.get(i) as f32);
}
