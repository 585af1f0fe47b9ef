//! Flat topology: edges numbered in the order in which the faces touch them, without patches.
use crate::corners::FlatMesh;
use crate::device::{Each, In, Out, kernel};
use crate::kernels::construct::next;

/// `marks[c]` is 1 where corner `c` is the first of its edge.
#[kernel(threads = 256)]
pub fn mark_leaders<'a>(c: Each, leader: In<'a, u32>, marks: Out<'a, u32>) {
    marks.set(c, (leader.get(c) == c) as u32);
}

/// The dart of each corner's side: twice the number of its edge, plus 1 where it runs against the edge's
/// first side; and the ends of each edge, as its first side has them. `numbers`: prefix sums of
/// [`mark_leaders`].
#[kernel(threads = 256)]
pub fn number_sides<'a>(
    c: Each,
    fv: In<'a, u32>,
    leader: In<'a, u32>,
    numbers: In<'a, u32>,
    darts: Out<'a, u32>,
    ends: Out<'a, [u32; 2]>,
) {
    let first = leader.get(c);
    let (edge, from) = (numbers.get(first), fv.get(c));
    darts.set(c, 2 * edge + (fv.get(first) != from) as u32);
    if first == c {
        ends.set(edge, [from, fv.get(next(c))]);
    }
}

/// Whether the three vertices of each face are below `vertices`: the least face with one that is not is
/// stored in `wrong[0]`, which begins as `NONE`.
#[kernel(threads = 256)]
pub fn check_corners<'a>(f: Each, vertices: u32, fv: In<'a, u32>, wrong: Out<'a, u32>) {
    let [a, b, c] = [0, 1, 2].map(|i| fv.get(3 * f + i));
    if a >= vertices || b >= vertices || c >= vertices {
        super::min(wrong, 0, f);
    }
}

/// The vertex of each corner, and `vertices` for corners of the `n` faces that have a vertex twice.
#[kernel(threads = 256)]
pub fn whole_corners<'a>(f: Each, vertices: u32, faces: In<'a, u32>, keys: Out<'a, u32>) {
    let [a, b, c] = [faces.get(3 * f), faces.get(3 * f + 1), faces.get(3 * f + 2)];
    let whole = a != b && b != c && c != a;
    let key = |v: u32| if whole { v } else { vertices };
    keys.set(3 * f, key(a));
    keys.set(3 * f + 1, key(b));
    keys.set(3 * f + 2, key(c));
}

/// The number of neighbours of each of `n` vertices, and 1 for one on the boundary, else 0.
#[kernel(threads = 128)]
pub fn count_neighbours<'a>(v: Each, mesh: FlatMesh<'a>, counts: Out<'a, u32>, boundary: Out<'a, u32>) {
    let (mut count, mut open) = (0, false);
    mesh.edges_of(v, |_, _, only| {
        count += 1;
        open |= only;
    });
    counts.set(v, count);
    boundary.set(v, open as u32);
}
/// Lists them, and the first side of the edge to each.
#[kernel(threads = 128)]
pub fn list_neighbours<'a>(
    v: Each,
    mesh: FlatMesh<'a>,
    starts: In<'a, u32>,
    vertices: Out<'a, u32>,
    sides: Out<'a, u32>,
) {
    let mut at = starts.get(v);
    mesh.edges_of(v, |side, other, _| {
        vertices.set(at, other);
        sides.set(at, side);
        at += 1;
    });
}
