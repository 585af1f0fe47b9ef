//! Kernels of shells: measures of faces, and faces by shells.
use crate::inside::kernels::{GOLDEN, mix};
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// Bits that an edge has with one direction; those with the other one are their negative.
#[inline(always)]
fn signed_hash(a: u32, b: u32) -> u64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let x = mix((u64::from(low) << 32 | u64::from(high)).wrapping_add(GOLDEN));
    if a < b { x } else { x.wrapping_neg() }
}

/// Six times the volume between each face and a point, and its area.
#[kernel(threads = 256)]
pub fn measure_faces<'a>(
    f: Each,
    points: In<'a, Vec3>,
    faces: In<'a, u32>,
    middle: [f32; 3],
    volumes: Out<'a, f64>,
    areas: Out<'a, f64>,
) {
    let middle = Vec3::from_array(middle).as_dvec3();
    let at = |k: u32| points.get(faces.get(3 * f + k)).as_dvec3() - middle;
    let (x, y, z) = (at(0), at(1), at(2));
    let cross = (y - x).cross(z - x);
    volumes.set(f, x.dot(y.cross(z)));
    areas.set(f, 0.5 * libm::sqrt(cross.dot(cross)));
}
/// Adds the hashes of all sides, which cancel each other where sides of two directions meet.
#[kernel(threads = 256)]
pub fn add_sides<'a>(block: &Block, count: u32, faces: In<'a, u32>, sum: Out<'a, u64>) {
    block.for_each_tile(count, |base, len| {
        let of_face = |i: u32| {
            let f = 3 * (base + i);
            let [a, b, c] = [faces.get(f), faces.get(f + 1), faces.get(f + 2)];
            signed_hash(a, b).wrapping_add(signed_hash(b, c)).wrapping_add(signed_hash(c, a))
        };
        let part = block.reduce(len, 0_u64, of_face, |a, b| a.wrapping_add(b));
        block.single_nosync(|| _ = atomic::fetch_add(sum, 0, part, Relaxed, Device));
    });
}
/// The first vertex of each face's shell; marks these vertices.
#[kernel(threads = 256)]
pub fn label_shells<'a>(
    f: Each,
    faces: In<'a, u32>,
    parent: In<'a, u32>,
    labels: Out<'a, u32>,
    firsts: Out<'a, u32>,
) {
    let label = parent.get(faces.get(3 * f));
    labels.set(f, label);
    atomic::store(firsts, label, 1, Relaxed, Device);
}
/// Keys of faces in some order.
#[kernel(threads = 256)]
pub fn key_faces<'a>(i: Each, order: In<'a, u32>, of: In<'a, u32>, keys: Out<'a, u64>) {
    keys.set(i, of.get(order.get(i)).into());
}
