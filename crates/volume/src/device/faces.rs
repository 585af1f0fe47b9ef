//! Faces: half-faces with the same vertices along the same cycle, in either direction.
//!
//! A face is written from its smallest vertex towards the smaller one of the two beside it. Half-faces are
//! sorted by these three vertices, with which a triangle is told; larger polygons are compared within their
//! run.
use super::tcsr::encode;
use super::volumes::fan;
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// Polygons, one after the other.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct HalfFaces<'a> {
    /// The first corner of each polygon, and the end.
    pub starts: In<'a, u32>,
    /// Their vertices.
    pub corners: In<'a, u32>,
}
/// A polygon, read from its smallest vertex towards the smaller one beside it.
#[derive(Clone, Copy)]
pub struct Cycle {
    start: u32,
    len: u32,
    at: u32,
    /// Whether that is the direction in which it is stored.
    forward: bool,
}
impl HalfFaces<'_> {
    #[inline(always)]
    fn cycle(&self, half: u32) -> Cycle {
        let (start, end) = (self.starts.get(half), self.starts.get(half + 1));
        let (len, mut at, mut k) = (end - start, 0, 1);
        let mut least = self.corners.get(start);
        while k < len {
            let vertex = self.corners.get(start + k);
            if vertex < least {
                (least, at) = (vertex, k);
            }
            k += 1;
        }
        let next = self.corners.get(start + if at + 1 == len { 0 } else { at + 1 });
        let last = self.corners.get(start + if at == 0 { len - 1 } else { at - 1 });
        Cycle { start, len, at, forward: next < last }
    }
    #[inline(always)]
    fn vertex(&self, cycle: Cycle, k: u32) -> u32 {
        let place = if cycle.forward { cycle.at + k } else { cycle.at + cycle.len - k };
        self.corners.get(cycle.start + if place >= cycle.len { place - cycle.len } else { place })
    }
    #[inline(always)]
    fn same(&self, a: Cycle, b: Cycle) -> bool {
        let (mut same, mut k) = (a.len == b.len, 0);
        while same && k < a.len {
            same = self.vertex(a, k) == self.vertex(b, k);
            k += 1;
        }
        same
    }
}

/// A key has all three vertices.
pub const WHOLE: u32 = 0;
/// A key has the last of them.
pub const LAST: u32 = 1;

/// The key of each half-face of a list: its first three vertices with `bits` bits each; or the last of these;
/// or the first two. Blocks: tiles.
#[kernel(threads = 256)]
pub fn face_keys<'a>(
    k: Each,
    part: u32,
    bits: u32,
    half: HalfFaces<'a>,
    list: In<'a, u32>,
    keys: Out<'a, u64>,
) {
    let cycle = half.cycle(list.get(k));
    let vertex = |k: u32| half.vertex(cycle, k) as u64;
    let key = match part {
        WHOLE => (vertex(0) << bits | vertex(1)) << bits | vertex(2),
        LAST => vertex(2),
        _ => vertex(0) << 32 | vertex(1),
    };
    keys.set(k, key);
}

/// For each half-face in the order of keys the place of the first one of the same face, and a flag where that
/// is itself. Linear in the number of half-faces with the same key. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_faces<'a>(
    k: Each,
    half: HalfFaces<'a>,
    keys: In<'a, u64>,
    list: In<'a, u32>,
    leaders: Out<'a, u32>,
    flags: Out<'a, u32>,
) {
    let (key, cycle) = (keys.get(k), half.cycle(list.get(k)));
    let (mut leader, mut j) = (k, k);
    while j > 0 && keys.get(j - 1) == key {
        j -= 1;
        if half.same(cycle, half.cycle(list.get(j))) {
            leader = j;
        }
    }
    leaders.set(k, leader);
    flags.set(k, (leader == k) as u32);
}

/// Writes the face of each half-face of a cell, and for each face a half-face and its length. `numbers` are
/// the prefix sums of the flags; the first `of_cells` half-faces belong to cells; `turned`, where it is not
/// empty, says which of these are to be read backwards. Blocks: tiles.
///
/// The sign is 1 where the face's normal points into the cell (Mueller-Roemer 2020, figure 3.5).
#[kernel(threads = 256)]
pub fn number_faces<'a>(
    k: Each,
    of_cells: u32,
    half: HalfFaces<'a>,
    list: In<'a, u32>,
    leaders: In<'a, u32>,
    numbers: In<'a, u32>,
    turned: In<'a, u32>,
    cell_faces: Out<'a, i32>,
    first: Out<'a, u32>,
    lengths: Out<'a, u32>,
) {
    let (h, leader) = (list.get(k), leaders.get(k));
    let (cycle, face) = (half.cycle(h), numbers.get(leader));
    if h < of_cells {
        let backwards = !turned.is_empty() && turned.get(h) != 0;
        cell_faces.set(h, encode(face, cycle.forward != backwards));
    }
    if leader == k {
        first.set(face, h);
        lengths.set(face, cycle.len);
    }
}

/// Writes the vertices of each face along its cycle. Blocks: tiles of faces.
#[kernel(threads = 256)]
pub fn write_faces<'a>(
    face: Each,
    half: HalfFaces<'a>,
    first: In<'a, u32>,
    starts: In<'a, u32>,
    vertices: Out<'a, u32>,
) {
    let (cycle, start, mut k) = (half.cycle(first.get(face)), starts.get(face), 0);
    while k < cycle.len {
        vertices.set(start + k, half.vertex(cycle, k));
        k += 1;
    }
}

/// Marks the half-faces of cells whose volume is negative. Blocks: tiles of cells.
#[kernel(threads = 128)]
pub fn mark_turned<'a>(
    cell: Each,
    half: HalfFaces<'a>,
    cells: In<'a, u32>,
    x: In<'a, Vec3>,
    turned: Out<'a, u32>,
) {
    let (start, end) = (cells.get(cell), cells.get(cell + 1));
    let at = |vertex: u32| x.get(vertex).as_dvec3();
    let origin = if start < end { at(half.corners.get(half.starts.get(start))) } else { DVec3::ZERO };
    let (mut volume, mut h) = (0.0, start);
    while h < end {
        let cycle = half.cycle(h);
        let part = fan(cycle.len, |k| at(half.vertex(cycle, k)) - origin);
        volume += if cycle.forward { part } else { -part };
        h += 1;
    }
    let mut h = start;
    while h < end {
        turned.set(h, (volume < 0.0) as u32);
        h += 1;
    }
}
