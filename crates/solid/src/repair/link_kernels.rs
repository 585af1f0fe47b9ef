//! Kernels that link the sides of faces after others were dropped, by the links and edges that are known.
//!
//! Each side has a number of its edge, `edges`: the same for all sides of the edge. `list` has the faces that
//! are left.
use crate::repair::kernels::{NONE, note};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// The side before, of the face that a face of `list` is.
#[inline(always)]
fn old(list: In<'_, u32>, side: u32) -> u32 {
    3 * list.get(side / 3) + side % 3
}
/// For each edge that had more than two faces, the number of sides that are left, and their sum.
#[kernel(threads = 256)]
pub fn count_left<'a>(
    c: Each,
    list: In<'a, u32>,
    edges: In<'a, u32>,
    notes: In<'a, u32>,
    counts: Out<'a, u32>,
    sums: Out<'a, u32>,
) {
    let was = old(list, c);
    if notes.get(was) & note::CROWDED != 0 {
        atomic::fetch_add(counts, edges.get(was), 1, Relaxed, Device);
        atomic::fetch_add(sums, edges.get(was), c, Relaxed, Device);
    }
}
/// For each side the one across, if its edge has exactly two that are left; a note if it has more; and the
/// number of the edge. `places`: the place of each face in `list`, or [`NONE`]. Sets `found[0]` to 1 if an
/// edge has more than two faces, `found[1]` if two disagree.
#[kernel(threads = 256)]
pub fn link_left<'a>(
    c: Each,
    faces: In<'a, u32>,
    list: In<'a, u32>,
    places: In<'a, u32>,
    across: In<'a, u32>,
    edges: In<'a, u32>,
    notes: In<'a, u32>,
    counts: In<'a, u32>,
    sums: In<'a, u32>,
    moved: Out<'a, u32>,
    new_edges: Out<'a, u32>,
    new_notes: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    let was = old(list, c);
    let (edge, before) = (edges.get(was), across.get(was));
    let count = if notes.get(was) & note::CROWDED != 0 { counts.get(edge) } else { 0 };
    let other = if count == 2 {
        sums.get(edge).wrapping_sub(c)
    } else if before != NONE && places.get(before / 3) != NONE {
        3 * places.get(before / 3) + before % 3
    } else {
        NONE
    };
    moved.set(c, other);
    new_edges.set(c, edge);
    new_notes.set(c, if count > 2 { note::CROWDED } else { 0 });
    let disagree = other != NONE && faces.get(c) == faces.get(other);
    if count > 2 || disagree {
        atomic::store(found, disagree as u32, 1, Relaxed, Device);
    }
}
