//! Entries of CSR brought into other layouts.
use super::entry::Real;
use ribbonmesh::device::{Each, In, Out, kernel};

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
