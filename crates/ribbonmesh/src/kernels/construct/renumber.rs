//! New ids for a mesh that has got or lost elements, in the order of its patches; the numbering itself is
//! that of [`crate::kernels::construct::numbering`].
use crate::device::{Each, In, NONE, Out, kernel};
use crate::kernels::construct::add;
use crate::kernels::construct::refresh::Tables;

/// The living faces as [`crate::kernels::construct::numbering`] takes them: three vertices each, the ring of
/// corners of each edge, its first corner, the patch. `v` and `f` lead from ids to the numbers of living
/// elements; `faces` ids are in use. `sizes`, 0 before, counts each patch's faces.
#[kernel(threads = 256)]
pub fn plain_corners<'a>(
    id: Each,
    mesh: Tables<'a>,
    v: In<'a, u32>,
    f: In<'a, u32>,
    fv: Out<'a, u32>,
    ring: Out<'a, u32>,
    leader: Out<'a, u32>,
    patch: Out<'a, u32>,
    sizes: Out<'a, u32>,
) {
    let [a, b, c, of] = mesh.vertices(id);
    if a == NONE {
        return;
    }
    let [x, y, z, _] = mesh.darts(id);
    let first = 3 * f.get(id);
    let corner = |i: u32, vertex: u32, dart: u32| {
        let h = mesh.across(dart);
        let other = if h == NONE { first + i } else { 3 * f.get(h >> 2) + (h & 3) };
        fv.set(first + i, v.get(vertex));
        ring.set(first + i, other);
        leader.set(first + i, if other < first + i { other } else { first + i });
    };
    corner(0, a, x);
    corner(1, b, y);
    corner(2, c, z);
    patch.set(first / 3, of);
    add(sizes, of, 1);
}

/// Patches of `each` faces, of `n` in the order of `numbers`.
#[kernel(threads = 256)]
pub fn divide<'a>(i: Each, each: u32, numbers: In<'a, u32>, patch: Out<'a, u32>) {
    patch.set(numbers.get(i), i / each);
}

/// The place of an element in an order that the first `inputs` ids have, others behind them.
#[inline(always)]
fn place(inputs: In<'_, u32>, id: u32) -> u32 {
    if (id as usize) < inputs.len() { inputs.get(id) } else { id }
}
/// Marks the places of the `n` elements that are left, whose old ids are `olds`; `marks` is 0 before.
#[kernel(threads = 256)]
pub fn mark_places<'a>(i: Each, inputs: In<'a, u32>, olds: In<'a, u32>, marks: Out<'a, u32>) {
    marks.set(place(inputs, olds.get(i)), 1);
}
/// The places again, without gaps: `marks` are prefix sums.
#[kernel(threads = 256)]
pub fn close_ranks<'a>(
    i: Each,
    inputs: In<'a, u32>,
    olds: In<'a, u32>,
    marks: In<'a, u32>,
    places: Out<'a, u32>,
) {
    places.set(i, marks.get(place(inputs, olds.get(i))));
}
