//! Sides of faces: their twins, the boundary, vertices that more than two sides of the boundary use (3.5).
//!
//! A side is named by the corner of a face at which it begins.
use ribbonmesh::corners::after;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// The word of faults for the first side with a wrong vertex: out of range, or twice in its face.
pub const WRONG_VERTEX: u32 = 0;
/// The word of faults for the first side of an edge that is no manifold or not oriented.
pub const WRONG_EDGE: u32 = 1;
/// Number of words of faults; each begins with [`NONE`].
#[cfg(not(target_arch = "nvptx64"))]
pub const FAULTS: usize = 2;

/// The edge between two vertices as one number. `bits`: bits of a vertex.
#[inline(always)]
pub fn edge_key(a: u32, b: u32, bits: u32) -> u64 {
    (a.min(b) as u64) << bits | a.max(b) as u64
}
/// The vertices of an edge.
#[inline(always)]
pub fn edge_ends(key: u64, bits: u32) -> [u32; 2] {
    [(key >> bits) as u32, (key & ((1 << bits) - 1)) as u32]
}

/// Lists the edge of each side, to be sorted.
#[kernel(threads = 256)]
pub fn key_sides<'a>(
    side: Each,
    faces: In<'a, u32>,
    vertices: u32,
    bits: u32,
    keys: Out<'a, u64>,
    sides: Out<'a, u32>,
    faults: Out<'a, u32>,
) {
    let (a, b) = (faces.get(side), faces.get(after(side)));
    if a >= vertices || a == b {
        atomic::fetch_min(faults, WRONG_VERTEX, side, Relaxed, Device);
    }
    keys.set(side, edge_key(a, b, bits));
    sides.set(side, side);
}
/// Finds the twin of each side, the one across its edge, or [`NONE`]. `keys` ascend, `sides` have their
/// order.
#[kernel(threads = 256)]
pub fn pair_sides<'a>(
    at: Each,
    keys: In<'a, u64>,
    sides: In<'a, u32>,
    faces: In<'a, u32>,
    twins: Out<'a, u32>,
    faults: Out<'a, u32>,
) {
    let (key, side) = (keys.get(at), sides.get(at));
    if at > 0 && keys.get(at - 1) == key {
        return;
    }
    if keys.try_get(at + 1) != Some(key) {
        twins.set(side, NONE);
        return;
    }
    let twin = sides.get(at + 1);
    if keys.try_get(at + 2) == Some(key) || faces.get(side) == faces.get(twin) {
        atomic::fetch_min(faults, WRONG_EDGE, side, Relaxed, Device);
        return;
    }
    twins.set(side, twin);
    twins.set(twin, side);
}

/// The faces of which some are deleted.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Sheet<'a> {
    /// Three vertices of each face.
    pub faces: In<'a, u32>,
    /// The side across each side's edge, or [`NONE`].
    pub twins: In<'a, u32>,
    /// 1 for each face, 0 if it is deleted.
    pub alive: In<'a, u32>,
}
impl Sheet<'_> {
    /// The vertices at which a side begins and ends.
    #[inline(always)]
    pub fn ends(&self, side: u32) -> [u32; 2] {
        [self.faces.get(side), self.faces.get(after(side))]
    }
    #[inline(always)]
    fn has(&self, side: u32) -> bool {
        side != NONE && self.alive.get(side / 3) != 0
    }
    /// Whether a side is of the boundary.
    #[inline(always)]
    pub fn is_open(&self, side: u32) -> bool {
        self.has(side) && !self.has(self.twins.get(side))
    }
    /// Whether the edge of a side has a face.
    #[inline(always)]
    pub fn is_edge(&self, side: u32) -> bool {
        self.has(side) || self.has(self.twins.get(side))
    }
}

/// Flags the sides of the boundary, and counts them at their vertices.
#[kernel(threads = 256)]
pub fn count_open<'a>(side: Each, sheet: Sheet<'a>, flags: Out<'a, u32>, counts: Out<'a, u32>) {
    let open = sheet.is_open(side);
    flags.set(side, open as u32);
    if open {
        for v in sheet.ends(side) {
            atomic::fetch_add(counts, v, 1, Relaxed, Device);
        }
    }
}
/// Deletes the faces at vertices with more than two sides of the boundary.
#[kernel(threads = 256)]
pub fn delete_crowded<'a>(
    face: Each,
    faces: In<'a, [u32; 3]>,
    counts: In<'a, u32>,
    alive: Out<'a, u32>,
    deleted: Out<'a, u32>,
) {
    if alive.get(face) != 0 && faces.get(face).iter().any(|&v| counts.get(v) > 2) {
        alive.set(face, 0);
        atomic::fetch_add(deleted, 0, 1, Relaxed, Device);
    }
}
/// Flags one place of each edge between vertices of holes. `places`: [`NONE`] for all other vertices.
#[kernel(threads = 256)]
pub fn flag_edges<'a>(
    at: Each,
    keys: In<'a, u64>,
    sides: In<'a, u32>,
    sheet: Sheet<'a>,
    places: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    let side = sides.get(at);
    let first = at == 0 || keys.get(at - 1) != keys.get(at);
    let between = first && sheet.ends(side).iter().all(|&v| places.get(v) != NONE);
    flags.set(at, (between && sheet.is_edge(side)) as u32);
}
/// Puts listed faces from place `first` on.
#[kernel(threads = 256)]
pub fn put_faces<'a>(i: Each, list: In<'a, u32>, from: In<'a, [u32; 3]>, first: u32, to: Out<'a, [u32; 3]>) {
    to.set(first + i, from.get(list.get(i)));
}
