//! Kernels that find, for each triangle, the triangles of a tree that it intersects.
use crate::intersections::pair::intersect;
use crate::intersections::parts::{Faces, Found, TRIANGLES, block_of};
use crate::intersections::plane::Triangle;
use crate::intersections::rough::Rough;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};

/// Flag in the count of pairs: the search has to be repeated with more room for open pairs.
pub const AGAIN: u64 = 1 << 63;

/// Pairs of faces that single precision leaves open, in any order.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Open<'a> {
    /// The faces.
    pub pairs: Out<'a, [u32; 2]>,
    /// Number of pairs, including those for which there was no room.
    pub count: Out<'a, u64>,
}

impl Open<'_> {
    #[inline(always)]
    fn add(&self, first: u32, second: u32) {
        let at = atomic::fetch_add(self.count, 0, 1_u64, Relaxed, Device);
        if at < self.pairs.len() as u64 {
            self.pairs.set(at as u32, [first, second]);
        }
    }
}

/// Faces for which a thread goes through the tree at once: threads of a GPU have one each, a core of a
/// processor needs half of the time with eight.
const TOGETHER: u32 = if cfg!(target_arch = "nvptx64") { 1 } else { 8 };

/// Lists open pairs of the face at each of `n` indices of the tree, from `first` on, and a face that follows
/// it, meets its box, and is not certainly to one side. One block per [`TRIANGLES`].
///
/// The exact test is a kernel of its own: the search waits for memory, and without the many registers of the
/// test, more threads wait at the same time.
#[kernel(threads = 128)]
pub fn find_own<'a>(block: &Block, bvh: BvhView<'a>, faces: Faces<'a>, first: u32, n: u32, open: Open<'a>) {
    let (base, len) = block_of(block, n);
    let end = first + base + len;
    block.for_each_nosync(len.div_ceil(TOGETHER), |i| {
        bvh.triangles_meeting_after::<_, { TOGETHER as usize }>(
            first + base + i * TOGETHER,
            end,
            |face, corners| (face, Rough::new(faces.exact(face, corners))),
            |(face, triangle), other, corners| {
                if !triangle.is_apart(faces.exact(other, corners)) {
                    open.add(*face, other);
                }
            },
        );
    });
}
/// Lists open pairs of each of `n` faces of another mesh, from `first` on, and a face of a tree that meets
/// its box, and is not certainly to one side. Faces with a 0 in `among` are left out; it may be empty. One
/// block per [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn find_between<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    among: In<'a, u32>,
    queries: Faces<'a>,
    first: u32,
    n: u32,
    open: Open<'a>,
) {
    let (base, len) = block_of(block, n);
    block.for_each_nosync(len, |i| {
        let face = first + base + i;
        let triangle = Rough::new(queries.corners(face));
        bvh.triangles_meeting(triangle.corners, |other, corners| {
            let listed = among.is_empty() || among.get(other) != 0;
            if listed && !triangle.is_apart(faces.exact(other, corners)) {
                open.add(face, other);
            }
        });
    });
}
/// Decides which open pairs of a face of `first` and a face of `second` intersect. If there was no room for
/// all of them, the count of found pairs gets [`AGAIN`]. `order` is 1 if the second face comes first in the
/// output, 2 if the lesser one does. Any number of blocks.
#[kernel(threads = 128)]
pub fn decide<'a>(
    block: &Block,
    first: Faces<'a>,
    second: Faces<'a>,
    open: In<'a, [u32; 2]>,
    count: In<'a, u64>,
    order: u32,
    found: Found<'a>,
) {
    let (room, n) = (open.len() as u64, count.get(0));
    if n > room {
        if block.index() == 0 {
            block.single_nosync(|| _ = atomic::fetch_add(found.count, 0, AGAIN, Relaxed, Device));
        }
        return;
    }
    let mut base = TRIANGLES as u64 * block.index() as u64;
    while base < n {
        let len = if n - base < TRIANGLES as u64 { (n - base) as u32 } else { TRIANGLES };
        block.for_each_nosync(len, |i| {
            let [a, b] = open.get(base as u32 + i);
            if intersect(&Triangle::new(first.corners(a)), second.corners(b)) {
                let turned = if order == 2 { b < a } else { order == 1 };
                if turned { found.add(b, a) } else { found.add(a, b) }
            }
        });
        base += TRIANGLES as u64 * block.count() as u64;
    }
}

/// Word of the counts of [`decide_listed`]: faces of the list that intersect others.
pub const MET: u32 = 0;
/// Word of these counts: 1 if the search has to be repeated with more room for open pairs.
pub const NO_ROOM: u32 = 1;
/// Word of the counts of [`list_faces`]: the greatest place that does not exist, plus one if that fits; or 0.
pub const NO_PLACE: u32 = 2;

/// Lists the face at each of a list of places of the tree, which has faces; the last one for a place that
/// does not exist, which `counts` names then.
#[kernel(threads = 256)]
pub fn list_faces<'a>(
    i: Each,
    bvh: BvhView<'a>,
    places: In<'a, u32>,
    listed: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    let (place, last) = (places.get(i), bvh.faces() - 1);
    if place > last {
        atomic::fetch_max(counts, NO_PLACE, place.saturating_add(1), Relaxed, Device);
    }
    listed.set(i, bvh.face_at(place.min(last)));
}
/// Lists open pairs of `n` of a list of places of the tree, from `first` on, as indices into the list, and
/// any other face that meets the box of the face there, and is not certainly to one side. One block per
/// [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn find_listed<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    places: In<'a, u32>,
    first: u32,
    n: u32,
    open: Open<'a>,
) {
    const N: usize = TOGETHER as usize;
    let (base, len) = block_of(block, n);
    let (base, last) = (first + base, bvh.faces() - 1);
    let end = base + len;
    block.for_each_nosync(len.div_ceil(TOGETHER), |i| {
        let first = base + i * TOGETHER;
        // those beyond the end repeat the last one, and what they find is left out
        let at = core::array::from_fn(|i| {
            let i = first + i as u32;
            places.get(if i < end { i } else { end - 1 }).min(last)
        });
        bvh.triangles_meeting_at::<_, N>(
            at,
            |face, corners| Rough::new(faces.exact(face, corners)),
            |i, triangle, other, corners| {
                let i = first + i as u32;
                if i < end && !triangle.is_apart(faces.exact(other, corners)) {
                    open.add(i, other);
                }
                true
            },
        );
    });
}
/// Decides which faces of a list intersect another one: `found` gets a 1 for them, and they are counted. If
/// there was no room for all open pairs, `counts` tells. Any number of blocks.
#[kernel(threads = 128)]
pub fn decide_listed<'a>(
    block: &Block,
    faces: Faces<'a>,
    listed: In<'a, u32>,
    open: In<'a, [u32; 2]>,
    count: In<'a, u64>,
    found: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    let (room, n) = (open.len() as u64, count.get(0));
    if n > room {
        if block.index() == 0 {
            block.single_nosync(|| atomic::store(counts, NO_ROOM, 1, Relaxed, Device));
        }
        return;
    }
    let mut base = TRIANGLES as u64 * block.index() as u64;
    while base < n {
        let len = if n - base < TRIANGLES as u64 { (n - base) as u32 } else { TRIANGLES };
        block.for_each_nosync(len, |i| {
            let [i, other] = open.get(base as u32 + i);
            if atomic::load(found, i, Relaxed, Device) == 0
                && intersect(&Triangle::new(faces.corners(listed.get(i))), faces.corners(other))
                // of several pairs of a face that are decided at once, one counts it
                && atomic::fetch_max(found, i, 1, Relaxed, Device) == 0
            {
                atomic::fetch_add(counts, MET, 1, Relaxed, Device);
            }
        });
        base += TRIANGLES as u64 * block.count() as u64;
    }
}

/// Flags what has no flag.
#[kernel(threads = 256)]
pub fn flag_others<'a>(i: Each, flags: In<'a, u32>, others: Out<'a, u32>) {
    others.set(i, (flags.get(i) == 0) as u32);
}
/// Marks the faces of a list that have a mark in the list.
#[kernel(threads = 256)]
pub fn mark_faces<'a>(i: Each, marks: In<'a, u32>, list: In<'a, u32>, marked: Out<'a, u32>) {
    if marks.get(i) != 0 {
        marked.set(list.get(i), 1);
    }
}

/// Copies the first `n` numbers.
#[kernel(threads = 256)]
pub fn take_keys<'a>(i: Each, keys: In<'a, u64>, taken: Out<'a, u64>) {
    taken.set(i, keys.get(i));
}
/// Splits numbers into the two faces of each pair, the second one of which takes `shift` bits.
#[kernel(threads = 256)]
pub fn split_pairs<'a>(i: Each, keys: In<'a, u64>, shift: u32, pairs: Out<'a, [u32; 2]>) {
    pairs.set(i, halves(keys.get(i), shift));
}
/// Most pairs that one block sorts.
pub const FEW: u32 = 2048;

/// Sorts up to [`FEW`] numbers, and splits them. One block.
#[kernel(threads = 1024, shared = arena.take::<u64>(FEW))]
pub fn sort_few_pairs<'a>(block: &Block, keys: In<'a, u64>, n: u32, shift: u32, pairs: Out<'a, [u32; 2]>) {
    let sorted = block.shared::<u64>(FEW);
    block.for_each(n, |i| sorted.set(i, keys.get(i)));
    block.sort_u64(sorted, n);
    block.for_each_nosync(n, |i| pairs.set(i, halves(sorted.get(i), shift)));
}
#[inline(always)]
fn halves(key: u64, shift: u32) -> [u32; 2] {
    [(key >> shift) as u32, (key & ((1 << shift) - 1)) as u32]
}

/// Searches for faces with a vertex that does not exist, or with a coordinate that is not finite: `wrong`
/// becomes the complement of the first one, if it begins with 0.
#[kernel(threads = 256)]
pub fn check_faces<'a>(block: &Block, faces: Faces<'a>, n: u32, wrong: Out<'a, u32>) {
    let end = faces.positions.len();
    block.for_each_of_tile(n, |i| {
        let [a, b, c] = faces.vertices.get(i);
        let known = (a.max(b).max(c) as usize) < end;
        if !known || ![a, b, c].iter().all(|&v| faces.positions.get(v).is_finite()) {
            atomic::fetch_max(wrong, 0, !i, Relaxed, Device);
        }
    });
}
