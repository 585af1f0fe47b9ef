//! The kernels: for each triangle, those of a tree that it intersects are counted, then written.
use crate::pair::intersect;
use crate::plane::Triangle;
use glam::Vec3;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// Triangles of a block: one per thread, since a search waits for memory most of the time.
pub const TRIANGLES: u32 = 128;

/// Triangles by the indices of their vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Faces<'a> {
    /// Positions of vertices.
    pub positions: In<'a, Vec3>,
    /// Vertices of faces.
    pub vertices: In<'a, [u32; 3]>,
    /// 1 if the tree has the corners of faces as they are, 0 if it has rounded some.
    pub in_tree: u32,
}

impl Faces<'_> {
    #[inline(always)]
    fn corners(&self, face: u32) -> [Vec3; 3] {
        self.vertices.get(face).map(|v| self.positions.get(v))
    }
    /// The corners of a face that a tree gives these corners.
    #[inline(always)]
    fn exact(&self, face: u32, corners: [Vec3; 3]) -> [Vec3; 3] {
        if self.in_tree != 0 { corners } else { self.corners(face) }
    }
}

/// Where pairs are written.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Found<'a> {
    /// Two faces as a number: the first one in the high half.
    pub pairs: Out<'a, u64>,
    /// For each face, 1 if it intersects another one.
    pub marks: Out<'a, u32>,
    /// The same for the faces of the second mesh; empty if there is none.
    pub others: Out<'a, u32>,
}

#[inline(always)]
fn block_of(block: &Block, n: u32) -> (u32, u32) {
    let base = TRIANGLES * block.index();
    (base, if n - base < TRIANGLES { n - base } else { TRIANGLES })
}

/// Calls `visit` with the face at a place of the tree and each face after it that it intersects.
#[inline(always)]
fn own(bvh: BvhView<'_>, faces: Faces<'_>, place: u32, mut visit: impl FnMut(u32, u32)) {
    bvh.triangles_meeting_after(
        place,
        |face, corners| (face, Triangle::new(faces.exact(face, corners))),
        |(face, triangle), other, corners| {
            if intersect(triangle, faces.exact(other, corners)) {
                visit(*face, other);
            }
        },
    );
}
/// Calls `visit` with each face of a tree that a face of another mesh intersects.
#[inline(always)]
fn between(bvh: BvhView<'_>, faces: Faces<'_>, queries: Faces<'_>, face: u32, mut visit: impl FnMut(u32)) {
    let triangle = Triangle::new(queries.corners(face));
    bvh.triangles_meeting(triangle.corners, |other, corners| {
        if intersect(&triangle, faces.exact(other, corners)) {
            visit(other);
        }
    });
}

/// The number of faces that follow in the tree and intersect, of the face at each place. One block per [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn count_own<'a>(block: &Block, bvh: BvhView<'a>, faces: Faces<'a>, counts: Out<'a, u32>) {
    let (base, len) = block_of(block, bvh.faces());
    block.for_each_nosync(len, |i| {
        let mut n = 0;
        own(bvh, faces, base + i, |_, _| n += 1);
        counts.set(base + i, n);
    });
}
/// Writes them, for the places in a list; `offsets` says from where on. One block per [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn list_own<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    places: In<'a, u32>,
    offsets: In<'a, u32>,
    found: Found<'a>,
) {
    let (base, len) = block_of(block, places.len() as u32);
    block.for_each_nosync(len, |i| {
        let mut at = offsets.get(base + i);
        own(bvh, faces, places.get(base + i), |face, other| {
            let (low, high) = if face < other { (face, other) } else { (other, face) };
            found.pairs.set(at, (low as u64) << 32 | high as u64);
            atomic::store(found.marks, face, 1, Relaxed, Device);
            atomic::store(found.marks, other, 1, Relaxed, Device);
            at += 1;
        });
    });
}
/// The number of faces of a tree that each face of another mesh intersects. One block per [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn count_between<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    queries: Faces<'a>,
    counts: Out<'a, u32>,
) {
    let (base, len) = block_of(block, counts.len() as u32);
    block.for_each_nosync(len, |i| {
        let mut n = 0;
        between(bvh, faces, queries, base + i, |_| n += 1);
        counts.set(base + i, n);
    });
}
/// Writes them, for the faces in a list; `offsets` says from where on. `swap` is 1 if the tree is that of the first mesh.
/// One block per [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn list_between<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    queries: Faces<'a>,
    list: In<'a, u32>,
    offsets: In<'a, u32>,
    swap: u32,
    found: Found<'a>,
) {
    let (base, len) = block_of(block, list.len() as u32);
    block.for_each_nosync(len, |i| {
        let (mut at, face) = (offsets.get(base + i), list.get(base + i));
        between(bvh, faces, queries, face, |other| {
            let (first, second) = if swap == 1 { (other, face) } else { (face, other) };
            found.pairs.set(at, (first as u64) << 32 | second as u64);
            atomic::store(found.marks, first, 1, Relaxed, Device);
            atomic::store(found.others, second, 1, Relaxed, Device);
            at += 1;
        });
    });
}

/// Whether each face of a list intersects another one of the tree, 1 or 0. One block per [`TRIANGLES`].
#[kernel(threads = 128)]
pub fn meet_any<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    list: In<'a, u32>,
    found: Out<'a, u32>,
) {
    let (base, len) = block_of(block, list.len() as u32);
    block.for_each_nosync(len, |i| {
        let face = list.get(base + i);
        let triangle = Triangle::new(faces.corners(face));
        let mut any = false;
        bvh.triangles_meeting(triangle.corners, |other, corners| {
            any = any || other != face && intersect(&triangle, faces.exact(other, corners));
        });
        found.set(base + i, any as u32);
    });
}

/// Splits numbers into the two faces of each pair.
#[kernel(threads = 256)]
pub fn split_pairs<'a>(block: &Block, keys: In<'a, u64>, n: u32, pairs: Out<'a, [u32; 2]>) {
    block.for_each_of_tile(n, |i| {
        let key = keys.get(i);
        pairs.set(i, [(key >> 32) as u32, key as u32]);
    });
}

/// Looks for faces with a vertex that does not exist, or with a coordinate that is not finite: `wrong` becomes the
/// complement of the first one, if it begins with 0.
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
