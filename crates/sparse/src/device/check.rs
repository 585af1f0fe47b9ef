//! Checks of matrices that come as memory of the device.
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// A row's range of places is wrong.
pub const RANGE: u32 = 0;
/// An entry's column is out of range.
pub const COLUMN: u32 = 1;

/// Records in `wrong[RANGE]` the smallest row whose slice does not begin where it may, or does not hold its
/// entries, and in `wrong[COLUMN]` the smallest row with a column out of range. `places`: the number of
/// places of the arrays. Blocks: tiles of rows.
#[kernel(threads = 256)]
pub fn check_rows<'a>(
    row: Each,
    slice: u32,
    places: u32,
    of_columns: u32,
    starts: In<'a, u32>,
    lengths: In<'a, u32>,
    columns: In<'a, u32>,
    wrong: Out<'a, u32>,
) {
    let (start, end) = (starts.get(row >> slice), starts.get((row >> slice) + 1));
    let in_slice = 1 << slice;
    let sound = start <= end && end <= places && (row > 0 || start == 0);
    let len = if lengths.is_empty() { end.wrapping_sub(start) } else { lengths.get(row) };
    let sound = sound && (end - start).is_multiple_of(in_slice) && len <= (end - start) / in_slice;
    if !sound {
        atomic::fetch_min(wrong, RANGE, row, Relaxed, Device);
        return;
    }
    let (mut place, mut left) = (start + (row & (in_slice - 1)), len);
    while left > 0 {
        if columns.get(place) >= of_columns {
            atomic::fetch_min(wrong, COLUMN, row, Relaxed, Device);
        }
        place += in_slice;
        left -= 1;
    }
}

/// The row of each entry of CSR. Blocks: tiles of rows.
#[kernel(threads = 256)]
pub fn rows_of_entries<'a>(row: Each, starts: In<'a, u32>, to: Out<'a, u32>) {
    let (mut k, end) = (starts.get(row), starts.get(row + 1));
    while k < end {
        to.set(k, row);
        k += 1;
    }
}

/// Counts the entries of each column. Blocks: tiles of entries.
#[kernel(threads = 256)]
pub fn count_columns<'a>(k: Each, columns: In<'a, u32>, counts: Out<'a, u32>) {
    atomic::fetch_add(counts, columns.get(k), 1, Relaxed, Device);
}

/// The place of each row's entry in its own column; the smallest row without one is stored in `missing[0]`.
/// Blocks: tiles of rows.
#[kernel(threads = 256)]
pub fn find_diagonal<'a>(
    row: Each,
    slice: u32,
    step: u32,
    starts: In<'a, u32>,
    lengths: In<'a, u32>,
    columns: In<'a, u32>,
    places: Out<'a, u32>,
    missing: Out<'a, u32>,
) {
    let start = starts.get(row >> slice);
    let len = if lengths.is_empty() { starts.get(row + 1) - start } else { lengths.get(row) };
    let (mut place, mut left) = (start + (row & ((1 << slice) - 1)), len);
    while left > 0 && columns.get(place) != row {
        place += step;
        left -= 1;
    }
    if left == 0 {
        atomic::fetch_min(missing, 0, row, Relaxed, Device);
        places.set(row, 0);
    } else {
        places.set(row, place);
    }
}

/// The index of component `c` of the entry at each place, among components in groups. Blocks: tiles.
#[kernel(threads = 256)]
pub fn places_of_component<'a>(
    i: Each,
    group: u32,
    components: u32,
    offset: u32,
    places: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let place = places.get(i);
    let base = (place >> group) * (components << group) + (place & ((1 << group) - 1));
    to.set(i, base + offset);
}
