//! Kernels of lengths.
use super::number::{greater, length};
use glam::DVec3;
use ribbonmesh::device::{Each, In, Out, kernel};

/// The length of the side that begins at each corner, and the same at the first corner of each edge, 0 at the
/// others.
#[kernel(threads = 256, requires(
    faces.len() >= count as usize,
    first.len() >= count as usize,
    lengths.len() >= count as usize,
    once.len() >= count as usize,
))]
pub fn side_lengths<'a>(
    i: Each,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    first: In<'a, u32>,
    lengths: Out<'a, f64>,
    once: Out<'a, f64>,
) {
    let end = i - i % 3 + (i % 3 + 1) % 3;
    let side = positions.get(faces.get(end)) - positions.get(faces.get(i));
    let side = length(side);
    lengths.set(i, side);
    once.set(i, if first.get(i) == i { side } else { 0.0 });
}

/// How much longer all sides have to be, so that the two others of a triangle are together longer than the
/// side at this corner by `least`.
#[kernel(threads = 256, requires(lengths.len() >= count as usize, missing.len() >= count as usize))]
pub fn missing_length<'a>(i: Each, least: f64, lengths: In<'a, f64>, missing: Out<'a, f64>) {
    let (face, k) = (i - i % 3, i % 3);
    let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| lengths.get(face + k));
    missing.set(i, greater((a - b) - c + least, 0.0));
}

/// Flags faces with three different vertices.
#[kernel(threads = 256, requires(faces.len() >= 3 * count as usize, whole.len() >= count as usize))]
pub fn flag_whole<'a>(i: Each, faces: In<'a, u32>, whole: Out<'a, u32>) {
    let [a, b, c] = [0, 1, 2].map(|k| faces.get(3 * i + k));
    whole.set(i, (a != b && b != c && c != a) as u32);
}

/// Puts faces in the order of their places, with vertices by their places, each beginning with the least.
#[kernel(threads = 256, requires(
    faces.len() >= 3 * count as usize,
    face_places.len() >= count as usize,
    to.len() >= 3 * count as usize,
))]
pub fn order_faces<'a>(
    f: Each,
    faces: In<'a, u32>,
    vertex_places: In<'a, u32>,
    face_places: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let [a, b, c] = [0, 1, 2].map(|k| vertex_places.get(faces.get(3 * f + k)));
    let turned = if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    };
    let first = 3 * face_places.get(f);
    to.set(first, turned[0]);
    to.set(first + 1, turned[1]);
    to.set(first + 2, turned[2]);
}

/// Copies the corners of some faces.
#[kernel(threads = 256, requires(kept.len() >= count as usize, to.len() >= 3 * count as usize))]
pub fn keep_faces<'a>(i: Each, kept: In<'a, u32>, faces: In<'a, u32>, to: Out<'a, u32>) {
    let mut k = 0;
    while k < 3 {
        to.set(3 * i + k, faces.get(3 * kept.get(i) + k));
        k += 1;
    }
}
