//! Edges: sides of faces with the same two ends.
use super::tcsr::encode;
use ribbonmesh::device::{Each, In, Out, kernel};

/// The key of each side of each face: its ends with `bits` bits each, the smaller first. Blocks: tiles of
/// faces.
#[kernel(threads = 256)]
pub fn edge_keys<'a>(face: Each, bits: u32, starts: In<'a, u32>, vertices: In<'a, u32>, keys: Out<'a, u64>) {
    let (start, end) = (starts.get(face), starts.get(face + 1));
    let mut k = start;
    while k < end {
        let (a, b) = (vertices.get(k), vertices.get(if k + 1 == end { start } else { k + 1 }));
        keys.set(k, (a.min(b) as u64) << bits | a.max(b) as u64);
        k += 1;
    }
}

/// Whether key `k` differs from the one before.
#[inline(always)]
pub fn begins(keys: In<'_, u64>, k: u32) -> bool {
    k == 0 || keys.get(k) != keys.get(k - 1)
}
/// Flags the first key of each run. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_runs<'a>(k: Each, keys: In<'a, u64>, flags: Out<'a, u32>) {
    flags.set(k, begins(keys, k) as u32);
}

/// Writes the edge of each side, and the ends of each edge, from the smaller to the larger. `numbers` are the
/// prefix sums of the flags. Blocks: tiles.
#[kernel(threads = 256)]
pub fn number_edges<'a>(
    k: Each,
    bits: u32,
    keys: In<'a, u64>,
    list: In<'a, u32>,
    numbers: In<'a, u32>,
    vertices: In<'a, u32>,
    face_edges: Out<'a, i32>,
    edge_vertices: Out<'a, i32>,
) {
    let (key, side, first) = (keys.get(k), list.get(k), begins(keys, k));
    let edge = numbers.get(k) + first as u32 - 1;
    let (low, high) = ((key >> bits) as u32, (key & ((1 << bits) - 1)) as u32);
    face_edges.set(side, encode(edge, vertices.get(side) != low));
    if first {
        edge_vertices.set(2 * edge, encode(low, true));
        edge_vertices.set(2 * edge + 1, encode(high, false));
    }
}
