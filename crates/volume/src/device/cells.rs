//! From the vertices of cells to the polygons around them: half-faces, each seen from its cell.
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// Codes of kinds of cells, the same as VTK's.
pub const TETRAHEDRON: u32 = 10;
/// Code of a hexahedron.
pub const HEXAHEDRON: u32 = 12;
/// Code of a wedge.
pub const WEDGE: u32 = 13;
/// Code of a pyramid.
pub const PYRAMID: u32 = 14;
/// Code of a polyhedron, whose words are: number of faces; for each face its number of vertices, and these.
pub const POLYHEDRON: u32 = 42;

/// Up to four local vertices and their number, four bits each.
const fn quad(a: u32, b: u32, c: u32, d: u32) -> u32 {
    a | b << 4 | c << 8 | d << 12 | 4 << 16
}
const fn triangle(a: u32, b: u32, c: u32) -> u32 {
    a | b << 4 | c << 8 | 3 << 16
}
/// Faces and corners of all faces of a kind, except for polyhedra.
#[inline(always)]
pub const fn sizes(kind: u32) -> (u32, u32) {
    match kind {
        TETRAHEDRON => (4, 12),
        HEXAHEDRON => (6, 24),
        WEDGE => (5, 18),
        PYRAMID => (5, 16),
        _ => (0, 0),
    }
}
/// Face `f` of a kind, its normal out of a cell in VTK's order.
#[inline(always)]
pub const fn face(kind: u32, f: u32) -> u32 {
    match (kind, f) {
        (TETRAHEDRON, 0) => triangle(0, 2, 1),
        (TETRAHEDRON, 1) => triangle(0, 1, 3),
        (TETRAHEDRON, 2) => triangle(1, 2, 3),
        (TETRAHEDRON, _) => triangle(0, 3, 2),
        (HEXAHEDRON, 0) => quad(0, 4, 7, 3),
        (HEXAHEDRON, 1) => quad(1, 2, 6, 5),
        (HEXAHEDRON, 2) => quad(0, 1, 5, 4),
        (HEXAHEDRON, 3) => quad(3, 7, 6, 2),
        (HEXAHEDRON, 4) => quad(0, 3, 2, 1),
        (HEXAHEDRON, _) => quad(4, 5, 6, 7),
        (WEDGE, 0) => triangle(0, 1, 2),
        (WEDGE, 1) => triangle(3, 5, 4),
        (WEDGE, 2) => quad(0, 3, 4, 1),
        (WEDGE, 3) => quad(1, 4, 5, 2),
        (WEDGE, _) => quad(2, 5, 3, 0),
        (_, 0) => quad(0, 3, 2, 1),
        (_, 1) => triangle(0, 1, 4),
        (_, 2) => triangle(1, 2, 4),
        (_, 3) => triangle(2, 3, 4),
        _ => triangle(3, 0, 4),
    }
}

/// The numbers of faces and of corners of each cell. Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_half_faces<'a>(
    cell: Each,
    kinds: In<'a, u32>,
    starts: In<'a, u32>,
    words: In<'a, u32>,
    faces: Out<'a, u32>,
    corners: Out<'a, u32>,
) {
    let kind = kinds.get(cell);
    let (mut all_faces, mut all_corners) = sizes(kind);
    if kind == POLYHEDRON {
        let start = starts.get(cell);
        all_faces = words.get(start);
        all_corners = starts.get(cell + 1) - start - 1 - all_faces;
    }
    faces.set(cell, all_faces);
    corners.set(cell, all_corners);
}

/// Writes where each half-face begins, and its corners, its normal out of the cell. Blocks: tiles.
#[kernel(threads = 256)]
pub fn write_half_faces<'a>(
    cell: Each,
    kinds: In<'a, u32>,
    starts: In<'a, u32>,
    words: In<'a, u32>,
    first_faces: In<'a, u32>,
    first_corners: In<'a, u32>,
    half_starts: Out<'a, u32>,
    corners: Out<'a, u32>,
) {
    let (kind, start) = (kinds.get(cell), starts.get(cell));
    let (mut half, end, mut at) = (first_faces.get(cell), first_faces.get(cell + 1), first_corners.get(cell));
    let (mut f, mut word) = (0, start + 1);
    while half < end {
        half_starts.set(half, at);
        let mut k = 0;
        if kind == POLYHEDRON {
            let len = words.get(word);
            while k < len {
                corners.set(at, words.get(word + 1 + k));
                at += 1;
                k += 1;
            }
            word += 1 + len;
        } else {
            let locals = face(kind, f);
            while k < locals >> 16 {
                corners.set(at, words.get(start + (locals >> (4 * k) & 15)));
                at += 1;
                k += 1;
            }
        }
        half += 1;
        f += 1;
    }
}

/// Appends faces that belong to no cell, and the end of all. Blocks: tiles of `n` + 1.
#[kernel(threads = 256)]
pub fn append_faces<'a>(
    block: &Block,
    n: u32,
    starts: In<'a, u32>,
    vertices: In<'a, u32>,
    first_half: u32,
    first_corner: u32,
    half_starts: Out<'a, u32>,
    corners: Out<'a, u32>,
) {
    block.for_each_of_tile(n + 1, |f| {
        let start = starts.get(f);
        half_starts.set(first_half + f, first_corner + start);
        if f < n {
            let (mut k, end) = (start, starts.get(f + 1));
            while k < end {
                corners.set(first_corner + k, vertices.get(k));
                k += 1;
            }
        }
    });
}
