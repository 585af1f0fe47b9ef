//! Drawing of vertices to the triangles, and smoothing of others.
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// Vertices of a block of [`draw`]: one per thread.
pub const AT_ONCE: u32 = 128;

/// Moves each vertex to the nearest point of the triangles that is at most `reach` away, but for a gap; flags
/// those that have such a point. One block per [`AT_ONCE`].
#[kernel(threads = 128)]
pub fn draw<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    reach: f32,
    gap: f32,
    x: In<'a, Vec3>,
    y: Out<'a, Vec3>,
    flags: Out<'a, u32>,
) {
    let (n, base) = (x.len() as u32, AT_ONCE * block.index());
    block.for_each_nosync(if n - base < AT_ONCE { n - base } else { AT_ONCE }, |i| {
        let v = base + i;
        let p = x.get(v);
        let found = bvh.closest_within(p, reach);
        let near = found.distance.is_finite();
        y.set(v, if near { found.point + gap * (p - found.point).normalize_or_zero() } else { p });
        flags.set(v, near as u32);
    });
}
/// Flags the vertices that are at two different positions.
#[kernel(threads = 256)]
pub fn flag_moved<'a>(v: Each, x: In<'a, Vec3>, y: In<'a, Vec3>, flags: Out<'a, u32>) {
    flags.set(v, (x.get(v) != y.get(v)) as u32);
}
/// Flags the vertices of each face with a flag. Other flags stay.
#[kernel(threads = 256)]
pub fn flag_corners<'a>(f: Each, faces: In<'a, [u32; 3]>, of_faces: In<'a, u32>, flags: Out<'a, u32>) {
    if of_faces.get(f) != 0 {
        for v in faces.get(f) {
            atomic::store(flags, v, 1, Relaxed, Device);
        }
    }
}
/// Moves the vertices with a flag back; `any` becomes 1 if one of them was moved.
#[kernel(threads = 256)]
pub fn take_back<'a>(
    v: Each,
    x: In<'a, Vec3>,
    flags: In<'a, u32>,
    y: Out<'a, Vec3>,
    moved: Out<'a, u32>,
    any: Out<'a, u32>,
) {
    if flags.get(v) == 0 {
        return;
    }
    if moved.get(v) != 0 {
        atomic::store(any, 0, 1, Relaxed, Device);
    }
    moved.set(v, 0);
    y.set(v, x.get(v));
}

/// Flags the corners at vertices without a flag.
#[kernel(threads = 256)]
pub fn flag_loose<'a>(c: Each, faces: In<'a, u32>, stays: In<'a, u32>, flags: Out<'a, u32>) {
    flags.set(c, (stays.get(faces.get(c)) == 0) as u32);
}
/// The rank of the vertex of each listed corner.
#[kernel(threads = 256)]
pub fn ranks_of<'a>(i: Each, faces: In<'a, u32>, list: In<'a, u32>, ranks: In<'a, u32>, keys: Out<'a, u32>) {
    keys.set(i, ranks.get(faces.get(list.get(i))));
}
/// Computes the mean of the neighbours of each listed vertex. `corners` has the corners at these vertices,
/// `of` the places in it of those of each.
#[kernel(threads = 128)]
pub fn means<'a>(
    i: Each,
    x: In<'a, Vec3>,
    faces: In<'a, u32>,
    corners: In<'a, u32>,
    of: GroupsView<'a>,
    to: Out<'a, Vec3>,
) {
    let (mut sum, mut count) = (Vec3::ZERO, 0.0_f32);
    // each neighbour is in two of the faces
    of.of(i, |place| {
        let corner = corners.get(place);
        let first = corner / 3 * 3;
        let next = |by: u32| x.get(faces.get(first + (corner - first + by) % 3));
        sum = sum + next(1) + next(2);
        count += 2.0;
    });
    to.set(i, sum / count.max(1.0));
}
