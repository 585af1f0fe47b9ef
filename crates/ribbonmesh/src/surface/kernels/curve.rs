//! Places along a space-filling curve.
use crate::bvh::aabb::Aabb;
use crate::bvh::morton::{KEY_BITS, code};
use crate::device::{Each, In, Out, Vec3, kernel};

/// Bits of a key: a cell among 2¹⁰ along the longest side of the box.
pub const BITS: u32 = 30;

/// The key of a point of the box from `low` to `high`.
#[inline(always)]
fn key(p: Vec3, low: Vec3, high: Vec3) -> u64 {
    code(p, Aabb { lo: low, hi: high }) >> (KEY_BITS - BITS)
}

/// The key of each of `n` points; `numbers[i] = i`.
#[kernel(threads = 256)]
pub fn point_keys<'a>(
    i: Each,
    x: In<'a, Vec3>,
    low: Vec3,
    high: Vec3,
    keys: Out<'a, u64>,
    numbers: Out<'a, u32>,
) {
    keys.set(i, key(x.get(i), low, high));
    numbers.set(i, i);
}

/// The key of the middle of each of `n` faces; `numbers[i] = i`.
#[kernel(threads = 256)]
pub fn face_keys<'a>(
    f: Each,
    faces: In<'a, u32>,
    x: In<'a, Vec3>,
    low: Vec3,
    high: Vec3,
    keys: Out<'a, u64>,
    numbers: Out<'a, u32>,
) {
    let [a, b, c] = [0, 1, 2].map(|i| x.get(faces.get(3 * f + i)) / 3.0);
    keys.set(f, key(a + b + c, low, high));
    numbers.set(f, f);
}

/// The vertices of `n` faces in another order: face `order[i]` becomes `i`, and vertex `v` becomes
/// `vertices[v]`.
#[kernel(threads = 256)]
pub fn reorder_faces<'a>(
    i: Each,
    faces: In<'a, u32>,
    order: In<'a, u32>,
    vertices: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let f = order.get(i);
    let mut k = 0;
    while k < 3 {
        to.set(3 * i + k, vertices.get(faces.get(3 * f + k)));
        k += 1;
    }
}
