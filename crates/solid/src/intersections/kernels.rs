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

/// Tests whether the face at each of a list of places of the tree intersects another one: 1 or 0, and which
/// face that is. Adds up how many do in `count`. One block per [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn meet_others<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    places: In<'a, u32>,
    listed: Out<'a, u32>,
    found: Out<'a, u32>,
    count: Out<'a, u32>,
) {
    const N: usize = TOGETHER as usize;
    let (base, len) = block_of(block, places.len() as u32);
    let last = base + len - 1;
    block.for_each_nosync(len.div_ceil(TOGETHER), |i| {
        let first = base + i * TOGETHER;
        // those beyond the end repeat the last one
        let at = core::array::from_fn(|i| {
            let i = first + i as u32;
            places.get(if i < last { i } else { last })
        });
        let mut any = [false; N];
        bvh.triangles_meeting_at::<_, N>(
            at,
            |face, corners| Rough::new(faces.exact(face, corners)),
            |i, triangle, other, corners| {
                let others = faces.exact(other, corners);
                if !any[i]
                    && !triangle.is_apart(others)
                    && intersect(&Triangle::new(triangle.corners), others)
                {
                    any[i] = true;
                    return any.contains(&false);
                }
                true
            },
        );
        let mut i = 0;
        while i < N && first + (i as u32) <= last {
            listed.set(first + i as u32, bvh.face_at(at[i]));
            found.set(first + i as u32, any[i] as u32);
            if any[i] {
                atomic::fetch_add(count, 0, 1, Relaxed, Device);
            }
            i += 1;
        }
    });
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
