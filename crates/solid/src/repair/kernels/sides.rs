//! Kernels for sides of faces: what is across them.
use crate::repair::kernels::{NONE, before, behind, input, note};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// For each side the one across its edge, if the edge has exactly two; and notes about the side, of which
/// those not in `wanted` are left out. `ring`: the next side of each side's edge.
#[kernel(threads = 256)]
pub fn note_sides<'a>(
    c: Each,
    faces: In<'a, u32>,
    ring: In<'a, u32>,
    wanted: u32,
    across: Out<'a, u32>,
    notes: Out<'a, u32>,
) {
    let next = ring.get(c);
    let two = next != c && ring.get(next) == c;
    across.set(c, if two { next } else { NONE });
    if next == c {
        return notes.set(c, wanted & note::OPEN);
    }
    let (from, to, apex) = (faces.get(c), faces.get(behind(c)), faces.get(before(c)));
    let mut found = if two { 0 } else { note::CROWDED };
    if two && next > c && faces.get(next) == from {
        found |= note::DISAGREES;
    }
    if apex > from && apex > to && (!two || faces.get(before(next)) == apex) {
        found |= note::TWIN;
    }
    notes.set(c, wanted & found);
}

/// A row for each listed side: the side, the one across, its notes, its two vertices, the third of its face,
/// and the two faces in the input.
#[kernel(threads = 128)]
pub fn gather_sides<'a>(
    i: Each,
    list: In<'a, u32>,
    faces: In<'a, u32>,
    inputs: In<'a, u32>,
    across: In<'a, u32>,
    notes: In<'a, u32>,
    rows: Out<'a, [u32; 8]>,
) {
    let side = list.get(i);
    let other = across.get(side);
    let (from, to, apex) = (faces.get(side), faces.get(behind(side)), faces.get(before(side)));
    let own = input(inputs, side / 3);
    let beyond = if other == NONE { NONE } else { input(inputs, other / 3) };
    rows.set(i, [side, other, notes.get(side), from, to, apex, own, beyond]);
}

/// Whether each side has none across. `across` is by the sides of faces before these were turned; `turned`
/// says which are, or is empty if none is.
#[kernel(threads = 256)]
pub fn flag_open<'a>(c: Each, across: In<'a, u32>, turned: In<'a, u32>, flags: Out<'a, u32>) {
    let (f, i) = (c / 3, c % 3);
    // the first side of a turned face was its last, and the other way around
    let was = if turned.is_empty() || turned.get(f) == 0 { i } else { 2 - i };
    flags.set(c, (across.get(3 * f + was) == NONE) as u32);
}

/// Marks the vertices at which listed sides begin.
#[kernel(threads = 128)]
pub fn mark_starts<'a>(i: Each, list: In<'a, u32>, faces: In<'a, u32>, marked: Out<'a, u32>) {
    atomic::store(marked, faces.get(list.get(i)), 1, Relaxed, Device);
}
