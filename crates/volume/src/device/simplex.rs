//! Edges and faces of triangles and tetrahedra, of which only the vertices are stored (Mueller-Roemer 2020,
//! section 3.4.4).
use super::tcsr::{TcsrView, encode};
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// The pairs or triples of vertices of each cell, in lexicographic order of their places in the cell.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Tuples<'a> {
    /// The vertices of the cells, none negative.
    pub cells: In<'a, i32>,
    /// Vertices of a cell: 3 or 4.
    pub corners: u32,
    /// Vertices of a tuple: 2, or 3 of 4.
    pub width: u32,
}
/// A tuple: its vertices ascending, and whether an odd number of exchanges sorts it.
#[derive(Clone, Copy)]
pub struct Tuple {
    a: u32,
    b: u32,
    /// The third, or 0.
    c: u32,
    odd: bool,
}
impl Tuple {
    #[inline(always)]
    fn same(&self, other: &Tuple) -> bool {
        self.a == other.a && self.b == other.b && self.c == other.c
    }
}
impl Tuples<'_> {
    /// Tuples of a cell.
    #[inline(always)]
    pub const fn per_cell(corners: u32, width: u32) -> u32 {
        match (corners, width) {
            (3, _) => 3,
            (_, 2) => 6,
            _ => 4,
        }
    }
    /// The tuple at a place: the cell times the tuples of a cell, plus the place in the cell.
    #[inline(always)]
    fn get(&self, place: u32) -> Tuple {
        let per_cell = Self::per_cell(self.corners, self.width);
        let (first, t) = (place / per_cell * self.corners, place % per_cell);
        let at = |i: u32| self.cells.get(first + i) as u32;
        if self.width == 2 {
            let (i, j) = pair(self.corners, t);
            let (a, b) = (at(i), at(j));
            return Tuple { a: a.min(b), b: a.max(b), c: 0, odd: b < a };
        }
        let (mut a, mut b, mut c) = (at((t == 3) as u32), at(1 + (t >= 2) as u32), at(2 + (t >= 1) as u32));
        let mut odd = false;
        if b < a {
            (a, b, odd) = (b, a, !odd);
        }
        if c < b {
            (b, c, odd) = (c, b, !odd);
        }
        if b < a {
            (a, b, odd) = (b, a, !odd);
        }
        Tuple { a, b, c, odd }
    }
    #[inline(always)]
    fn begins(&self, list: In<'_, u32>, k: u32) -> bool {
        k == 0 || !self.get(list.get(k)).same(&self.get(list.get(k - 1)))
    }
}
/// The `t`-th pair of places in a cell.
#[inline(always)]
fn pair(corners: u32, t: u32) -> (u32, u32) {
    match (corners, t) {
        (_, 0) => (0, 1),
        (_, 1) => (0, 2),
        (3, _) => (1, 2),
        (_, 2) => (0, 3),
        (_, 3) => (1, 2),
        (_, 4) => (1, 3),
        _ => (2, 3),
    }
}

/// The key has all vertices.
pub const WHOLE: u32 = 0;
/// The key has the third vertex.
pub const LAST: u32 = 1;

/// The key of each tuple of a list: all its vertices with `bits` bits each; or the third; or the first two.
/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn tuple_keys<'a>(
    k: Each,
    part: u32,
    bits: u32,
    tuples: Tuples<'a>,
    list: In<'a, u32>,
    keys: Out<'a, u64>,
) {
    let t = tuples.get(list.get(k));
    let (a, b, c) = (t.a as u64, t.b as u64, t.c as u64);
    let key = match (part, tuples.width) {
        (WHOLE, 2) => a << bits | b,
        (WHOLE, _) => (a << bits | b) << bits | c,
        (LAST, _) => c,
        _ => a << 32 | b,
    };
    keys.set(k, key);
}

/// Flags the first one of equal tuples of a sorted list. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_tuples<'a>(k: Each, tuples: Tuples<'a>, list: In<'a, u32>, flags: Out<'a, u32>) {
    flags.set(k, tuples.begins(list, k) as u32);
}

/// Writes the number of each tuple in its cell's row, and the vertices and the first place of each. `numbers`
/// are the prefix sums of the flags. With `signed`, an entry is negative where the place in the cell plus the
/// exchanges is odd. Blocks: tiles.
#[kernel(threads = 256)]
pub fn number_tuples<'a>(
    k: Each,
    signed: u32,
    tuples: Tuples<'a>,
    list: In<'a, u32>,
    numbers: In<'a, u32>,
    rows: Out<'a, i32>,
    vertices: Out<'a, i32>,
    places: Out<'a, u32>,
) {
    let (place, first) = (list.get(k), tuples.begins(list, k));
    let (tuple, id) = (tuples.get(place), numbers.get(k) + first as u32 - 1);
    let local = place % Tuples::per_cell(tuples.corners, tuples.width);
    rows.set(place, encode(id, signed != 0 && (local % 2 == 1) != tuple.odd));
    if first {
        let at = tuples.width * id;
        places.set(id, place);
        vertices.set(at, encode(tuple.a, tuples.width == 2));
        vertices.set(at + 1, encode(tuple.b, false));
        if tuples.width == 3 {
            vertices.set(at + 2, encode(tuple.c, false));
        }
    }
}

/// The edges of each face of tetrahedra along its cycle, looked up in a tetrahedron of which it is the face.
/// Edges are numbered in lexicographic order of their ends, so that the smallest of three is that of the two
/// smaller vertices. Blocks: tiles.
#[kernel(threads = 256)]
pub fn face_edges_of_tetrahedra<'a>(face: Each, places: In<'a, u32>, ce: TcsrView<'a>, to: Out<'a, i32>) {
    let place = places.get(face);
    let first = 6 * (place / 4);
    let edge = |t: u32| ce.column(first + t);
    // the pairs of places 01 02 03 12 13 23 without one place
    let (p, q, r) = match place % 4 {
        0 => (edge(0), edge(1), edge(3)),
        1 => (edge(0), edge(2), edge(4)),
        2 => (edge(1), edge(2), edge(5)),
        _ => (edge(3), edge(4), edge(5)),
    };
    let (low, high) = (p.min(q).min(r), p.max(q).max(r));
    let middle = p ^ q ^ r ^ low ^ high;
    to.set(3 * face, encode(low, false));
    to.set(3 * face + 1, encode(high, false));
    to.set(3 * face + 2, encode(middle, true));
}
