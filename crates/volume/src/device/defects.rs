//! Counts of unusual features of a volume mesh.
use super::tcsr::TcsrView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// A face of exactly one cell.
pub const BOUNDARY: u32 = 0;
/// A face of no cell.
pub const DANGLING: u32 = 1;
/// A face of more than two cells.
pub const CROWDED: u32 = 2;
/// A face with two cells on the same side.
pub const SAME_SIDE: u32 = 3;
/// A cell with the same faces as one before it.
pub const DUPLICATE: u32 = 4;
/// A cell of negative volume.
pub const INVERTED: u32 = 5;
/// A cell without volume, or whose volume is not a number.
pub const FLAT: u32 = 6;
/// A vertex without edges.
pub const ISOLATED: u32 = 7;
/// The number of kinds.
#[cfg(not(target_arch = "nvptx64"))]
pub const ALL: usize = 8;

/// Counts an element, and keeps the smallest.
#[inline(always)]
fn note(found: Out<'_, u32>, what: u32, id: u32) {
    atomic::fetch_add(found, 2 * what, 1, Relaxed, Device);
    atomic::fetch_min(found, 2 * what + 1, id, Relaxed, Device);
}

/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn examine_faces<'a>(face: Each, fc: TcsrView<'a>, found: Out<'a, u32>) {
    let (mut into, mut out) = (0, 0);
    fc.of(face, |_, sign| if sign > 0 { into += 1 } else { out += 1 });
    match into + out {
        0 => note(found, DANGLING, face),
        1 => note(found, BOUNDARY, face),
        2 => {}
        _ => note(found, CROWDED, face),
    }
    if into > 1 || out > 1 {
        note(found, SAME_SIDE, face);
    }
}

/// Blocks: tiles.
#[kernel(threads = 128)]
pub fn examine_cells<'a>(
    cell: Each,
    cf: TcsrView<'a>,
    fc: TcsrView<'a>,
    volumes: In<'a, f64>,
    found: Out<'a, u32>,
) {
    let volume = volumes.get(cell);
    if volume < 0.0 {
        note(found, INVERTED, cell);
    } else if volume == 0.0 || volume.is_nan() {
        note(found, FLAT, cell);
    }
    let (start, end) = cf.range(cell);
    if start == end {
        return;
    }
    let mut twin = false;
    fc.of(cf.column(start), |other, _| {
        if other >= cell || cf.row_len(other) != end - start {
            return;
        }
        let mut all = true;
        cf.of(cell, |face, _| {
            let mut has = false;
            cf.of(other, |f, _| has |= f == face);
            all &= has;
        });
        twin |= all;
    });
    if twin {
        note(found, DUPLICATE, cell);
    }
}

/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn examine_vertices<'a>(vertex: Each, ve: TcsrView<'a>, found: Out<'a, u32>) {
    if ve.row_len(vertex) == 0 {
        note(found, ISOLATED, vertex);
    }
}
