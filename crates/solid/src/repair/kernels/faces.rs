//! Kernels for faces: which stay, and lists of them.
use crate::repair::area;
use crate::repair::kernels::{NONE, corners, input, verdict};
use glam::DVec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// Judges each face; `zero_area`: whether faces of no area go, too. The least face with a vertex that is not
/// below `vertices` is stored in `wrong[0]`, which begins as [`NONE`].
#[kernel(threads = 128)]
pub fn judge_faces<'a>(
    f: Each,
    vertices: u32,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    zero_area: u32,
    verdicts: Out<'a, u32>,
    whole: Out<'a, u32>,
    wrong: Out<'a, u32>,
) {
    let [a, b, c] = corners(faces, f);
    if a >= vertices || b >= vertices || c >= vertices {
        atomic::fetch_min(wrong, 0, f, Relaxed, Device);
        return;
    }
    let verdict = if a == b || b == c || c == a {
        verdict::DEGENERATE
    } else if zero_area != 0 && area::none([positions.get(a), positions.get(b), positions.get(c)]) {
        verdict::FLAT
    } else {
        verdict::WHOLE
    };
    verdicts.set(f, verdict);
    whole.set(f, (verdict == verdict::WHOLE) as u32);
}

/// Whether each face has a vertex that is marked.
#[kernel(threads = 256)]
pub fn flag_faces<'a>(f: Each, faces: In<'a, u32>, marked: In<'a, u32>, flags: Out<'a, u32>) {
    let [a, b, c] = corners(faces, f);
    flags.set(f, (marked.get(a) | marked.get(b) | marked.get(c) != 0) as u32);
}
/// A row for each listed face: the face, its vertices, the sides across, and the face in the input.
#[kernel(threads = 128)]
pub fn gather_faces<'a>(
    i: Each,
    list: In<'a, u32>,
    faces: In<'a, u32>,
    inputs: In<'a, u32>,
    across: In<'a, u32>,
    rows: Out<'a, [u32; 8]>,
) {
    let f = list.get(i);
    let ([a, b, c], [x, y, z]) = (corners(faces, f), corners(across, f));
    rows.set(i, [f, a, b, c, x, y, z, input(inputs, f)]);
}
/// The sides across the sides of listed faces, by the places of faces in the list.
#[kernel(threads = 256)]
pub fn move_links<'a>(
    c: Each,
    list: In<'a, u32>,
    places: In<'a, u32>,
    across: In<'a, u32>,
    moved: Out<'a, u32>,
) {
    let other = across.get(3 * list.get(c / 3) + c % 3);
    moved.set(c, if other == NONE { NONE } else { 3 * places.get(other / 3) + other % 3 });
}
/// Exchanges the second and the third corner of each face that is marked.
#[kernel(threads = 256)]
pub fn turn_faces<'a>(f: Each, marked: In<'a, u32>, faces: Out<'a, u32>) {
    if marked.get(f) != 0 {
        let (b, c) = (faces.get(3 * f + 1), faces.get(3 * f + 2));
        faces.set(3 * f + 1, c);
        faces.set(3 * f + 2, b);
    }
}
/// The corners of listed faces.
#[kernel(threads = 256)]
pub fn list_corners<'a>(i: Each, list: In<'a, u32>, faces: In<'a, u32>, to: Out<'a, u32>) {
    let [a, b, c] = corners(faces, list.get(i));
    to.set(3 * i, a);
    to.set(3 * i + 1, b);
    to.set(3 * i + 2, c);
}
