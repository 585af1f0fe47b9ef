//! Lengths of edges.
use crate::device::math::sqrt;
use crate::device::{Each, In, Out, Vec3, kernel};

/// The length of `b - a`, times `scale`.
#[inline(always)]
fn length(a: Vec3, b: Vec3, scale: f32) -> f32 {
    let d = scale * b - scale * a;
    sqrt(d.length_squared())
}

/// The length of each of `n` edges, given two vertices of each.
#[kernel(threads = 256)]
pub fn edge_lengths<'a>(e: Each, ends: In<'a, u32>, x: In<'a, Vec3>, scale: f32, lengths: Out<'a, f32>) {
    lengths.set(e, length(x.get(ends.get(2 * e)), x.get(ends.get(2 * e + 1)), scale));
}

/// The length of the side of each of `corners` corners if it is the first of its edge (`leader`), else 0.
#[kernel(threads = 256)]
pub fn side_lengths<'a>(
    c: Each,
    faces: In<'a, u32>,
    leader: In<'a, u32>,
    x: In<'a, Vec3>,
    scale: f32,
    lengths: Out<'a, f32>,
) {
    let next = if c % 3 == 2 { c - 2 } else { c + 1 };
    let side =
        if leader.get(c) == c { length(x.get(faces.get(c)), x.get(faces.get(next)), scale) } else { 0.0 };
    lengths.set(c, side);
}
