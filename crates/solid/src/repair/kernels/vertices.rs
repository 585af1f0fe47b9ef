//! Kernels for vertices: their fans, and which stay.
use crate::repair::kernels::{NONE, before, behind};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// Counts the corners of each vertex, and finds the first, which begins as [`NONE`].
#[kernel(threads = 256)]
pub fn count_corners<'a>(c: Each, faces: In<'a, u32>, counts: Out<'a, u32>, first: Out<'a, u32>) {
    let v = faces.get(c);
    atomic::fetch_add(counts, v, 1, Relaxed, Device);
    if c < atomic::load(first, v, Relaxed, Device) {
        atomic::fetch_min(first, v, c, Relaxed, Device);
    }
}

/// Number of corners of the fan at `v` to which `corner` belongs.
#[inline(always)]
fn length(v: u32, corner: u32, faces: In<'_, u32>, across: In<'_, u32>) -> u32 {
    let mut count = 1;
    for way in 0..2 {
        let mut side = if way == 0 { corner } else { before(corner) };
        loop {
            let other = across.get(side);
            if other == NONE {
                break;
            }
            // the corner at v of the face there, and that face's other side at v
            let starts = faces.get(other) == v;
            let next = if starts { other } else { behind(other) };
            if next == corner {
                return count;
            }
            count += 1;
            side = if starts { before(other) } else { next };
        }
    }
    count
}

/// Whether each vertex has several fans: whether the fan of its first corner has fewer corners than the
/// vertex. Adds the number of such vertices to `found[0]`, and that of vertices without a face to `found[1]`.
#[kernel(threads = 128)]
pub fn find_several<'a>(
    block: &Block,
    vertices: u32,
    faces: In<'a, u32>,
    across: In<'a, u32>,
    counts: In<'a, u32>,
    first: In<'a, u32>,
    several: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    block.for_each_tile(vertices, |base, len| {
        block.for_each_nosync(len, |i| {
            let (v, count) = (base + i, counts.get(base + i));
            // one corner is one fan
            let more = count > 1 && length(v, first.get(v), faces, across) != count;
            several.set(v, more as u32);
        });
        // iteration i reads what iteration i has written
        let more = block.count_where(len, |i| several.get(base + i) != 0);
        let alone = block.count_where(len, |i| counts.get(base + i) == 0);
        block.single_nosync(|| {
            if more > 0 {
                atomic::fetch_add(found, 0, more, Relaxed, Device);
            }
            if alone > 0 {
                atomic::fetch_add(found, 1, alone, Relaxed, Device);
            }
        });
    });
}

/// A row for each listed element: the element, and its value.
#[kernel(threads = 256)]
pub fn gather_pairs<'a>(i: Each, list: In<'a, u32>, values: In<'a, u32>, pairs: Out<'a, [u32; 2]>) {
    let element = list.get(i);
    pairs.set(i, [element, values.get(element)]);
}

/// Marks the vertices of corners.
#[kernel(threads = 256)]
pub fn mark_used<'a>(c: Each, faces: In<'a, u32>, used: Out<'a, u32>) {
    let v = faces.get(c);
    if atomic::load(used, v, Relaxed, Device) == 0 {
        atomic::store(used, v, 1, Relaxed, Device);
    }
}
/// Finds the vertices that stay: those with a face, and others unless they were welded to another one, have
/// lost their faces, or `all` is not 0. Also finds those that go without having been welded. `welded` and
/// `lost` may be shorter than the vertices are many.
#[kernel(threads = 256)]
pub fn part_vertices<'a>(
    v: Each,
    used: In<'a, u32>,
    welded: In<'a, u32>,
    lost: In<'a, u32>,
    all: u32,
    stays: Out<'a, u32>,
    isolated: Out<'a, u32>,
) {
    let is = |flags: In<'a, u32>| (v as usize) < flags.len() && flags.get(v) != 0;
    let gone = used.get(v) == 0 && (all != 0 || is(welded) || is(lost));
    stays.set(v, !gone as u32);
    isolated.set(v, (gone && !is(welded)) as u32);
}
