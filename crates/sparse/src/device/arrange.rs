//! Entries of CSR brought into other layouts.
use super::entry::Real;
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// The entry of CSR that each place of another outer layout holds; places of padding are not written. Blocks:
/// tiles of rows.
#[kernel(threads = 256)]
pub fn sources<'a>(
    row: Each,
    slice: u32,
    step: u32,
    of_rows: In<'a, u32>,
    starts: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let (mut entry, end) = (of_rows.get(row), of_rows.get(row + 1));
    let mut place = starts.get(row >> slice) + (row & ((1 << slice) - 1));
    while entry < end {
        to.set(place, entry);
        place += step;
        entry += 1;
    }
}

/// Where an entry of a matrix of numbers is, in any outer layout.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Numbers<'a, R> {
    /// Binary logarithm of the rows of a slice.
    pub slice: u32,
    /// Places from one entry of a row to the next.
    pub step: u32,
    /// The first place of each slice.
    pub starts: In<'a, u32>,
    /// The entries of each row; empty for CSR.
    pub lengths: In<'a, u32>,
    /// The column of each place.
    pub columns: In<'a, u32>,
    /// The number of each place.
    pub values: In<'a, R>,
    /// Numbers of a diagonal that is stored by itself, or empty.
    pub diagonal: In<'a, R>,
}
impl<R: Real> Numbers<'_, R> {
    /// A row's first place, and how many entries it has there.
    #[inline(always)]
    fn row(&self, row: u32) -> (u32, u32) {
        let start = self.starts.get(row >> self.slice);
        let len =
            if self.lengths.is_empty() { self.starts.get(row + 1) - start } else { self.lengths.get(row) };
        (start + (row & ((1 << self.slice) - 1)), len)
    }
}
/// Entries of each row, with the diagonal; 0 after the last row. Elements: rows and one more.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn row_lengths<'a, R: Real>(row: Each, rows: u32, from: Numbers<'a, R>, to: Out<'a, u32>) {
    let diagonal = !from.diagonal.is_empty() as u32;
    to.set(row, if row < rows { from.row(row).1 + diagonal } else { 0 });
}
/// Rows of numbers in double precision, one after the other. A diagonal that is stored by itself is put where
/// its column belongs. Elements: rows.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn list_rows<'a, R: Real>(
    row: Each,
    from: Numbers<'a, R>,
    starts: In<'a, u32>,
    columns: Out<'a, u32>,
    values: Out<'a, f64>,
) {
    let (mut place, len) = from.row(row);
    let (mut to, mut left, mut own) = (starts.get(row), len, from.diagonal.is_empty());
    while left > 0 || !own {
        if !own && (left == 0 || from.columns.get(place) > row) {
            columns.set(to, row);
            values.set(to, from.diagonal.get(row).to_f64());
            own = true;
        } else {
            columns.set(to, from.columns.get(place));
            values.set(to, from.values.get(place).to_f64());
            place += from.step;
            left -= 1;
        }
        to += 1;
    }
}

/// Entries component by component, as `Stored` says: those of `sources` or, if that is empty, all. Elements
/// are places.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn split<'a, R: Real>(
    place: Each,
    components: u32,
    group: u32,
    stride: u32,
    sources: In<'a, u32>,
    from: In<'a, R>,
    to: Out<'a, R>,
) {
    let entry = if sources.is_empty() { place } else { sources.get(place) };
    let base = (place >> group) * (components << group) + (place & ((1 << group) - 1));
    let mut c = 0;
    while c < components {
        to.set(base + c * stride, from.get(entry * components + c));
        c += 1;
    }
}
