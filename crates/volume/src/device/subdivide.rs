//! Catmull-Clark subdivision of volumes (Joy and MacCracken 1996; Mueller-Roemer 2020, section 3.4.3). Places
//! of entries in the relations are the numbers of the new elements.
use super::tcsr::{TcsrView, encode};
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// The mesh that is subdivided, and what its new elements are numbered by.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Coarse<'a> {
    /// Ends of edges.
    pub ev: TcsrView<'a>,
    /// Edges of faces.
    pub fe: TcsrView<'a>,
    /// Vertices of faces.
    pub fv: TcsrView<'a>,
    /// Faces of cells.
    pub cf: TcsrView<'a>,
    /// Edges of cells.
    pub ce: TcsrView<'a>,
    /// Vertices of cells.
    pub cv: TcsrView<'a>,
    /// The number of vertices.
    pub vertices: u32,
    /// The number of edges.
    pub edges: u32,
    /// The number of faces.
    pub faces: u32,
    /// Entries of the edges of faces.
    pub sides: u32,
}
impl Coarse<'_> {
    #[inline(always)]
    fn edge_point(&self, edge: u32) -> u32 {
        self.vertices + edge
    }
    #[inline(always)]
    fn face_point(&self, face: u32) -> u32 {
        self.vertices + self.edges + face
    }
    #[inline(always)]
    fn cell_point(&self, cell: u32) -> u32 {
        self.vertices + self.edges + self.faces + cell
    }
    /// The edge from the point of the edge at side `k` to the point of the face.
    #[inline(always)]
    fn across_face(&self, k: u32) -> u32 {
        2 * self.edges + k
    }
    /// The edge from the point of the face at entry `k` of the faces of cells to the point of the cell.
    #[inline(always)]
    fn across_cell(&self, k: u32) -> u32 {
        2 * self.edges + self.sides + k
    }
    /// The side of a face before side `k`.
    #[inline(always)]
    fn before(&self, (start, end): (u32, u32), k: u32) -> u32 {
        if k == start { end - 1 } else { k - 1 }
    }
}

/// Writes an edge by its ends.
#[inline(always)]
fn connect(to: Out<'_, i32>, edge: u32, start: u32, end: u32) {
    to.set(2 * edge, encode(start, true));
    to.set(2 * edge + 1, encode(end, false));
}
/// Writes a face by its four sides: edges, and whether they are passed backwards.
#[inline(always)]
fn quad(to: Out<'_, i32>, face: u32, sides: [(u32, bool); 4]) {
    let [a, b, c, d] = sides;
    to.set(4 * face, encode(a.0, a.1));
    to.set(4 * face + 1, encode(b.0, b.1));
    to.set(4 * face + 2, encode(c.0, c.1));
    to.set(4 * face + 3, encode(d.0, d.1));
}

/// The two halves of each edge. Blocks: tiles of edges.
#[kernel(threads = 256)]
pub fn split_edges<'a>(edge: Each, mesh: Coarse<'a>, ends: Out<'a, i32>) {
    let middle = mesh.edge_point(edge);
    connect(ends, 2 * edge, mesh.ev.column(2 * edge), middle);
    connect(ends, 2 * edge + 1, middle, mesh.ev.column(2 * edge + 1));
}

/// The edges and the quads within each face: a quad for each of its vertices, with the face's orientation.
/// Blocks: tiles of faces.
#[kernel(threads = 128)]
pub fn split_faces<'a>(face: Each, mesh: Coarse<'a>, ends: Out<'a, i32>, sides: Out<'a, i32>) {
    let row = mesh.fe.range(face);
    let mut k = row.0;
    while k < row.1 {
        let (edge, sign) = mesh.fe.entry(k);
        let before = mesh.before(row, k);
        let (last, last_sign) = mesh.fe.entry(before);
        connect(ends, mesh.across_face(k), mesh.edge_point(edge), mesh.face_point(face));
        // from the vertex along the edge, to the middle of the face, to the edge before, and back
        let leave = (2 * edge + (sign < 0) as u32, sign < 0);
        let come = (2 * last + (last_sign > 0) as u32, last_sign < 0);
        quad(sides, k, [leave, (mesh.across_face(k), false), (mesh.across_face(before), true), come]);
        k += 1;
    }
}

/// The edges and the quads within each cell: a quad for each of its edges, whose normal runs along the edge;
/// and twice the number of the cell's faces at each of its vertices. Blocks: tiles of cells.
#[kernel(threads = 128)]
pub fn split_cells<'a>(
    cell: Each,
    mesh: Coarse<'a>,
    ends: Out<'a, i32>,
    sides: Out<'a, i32>,
    counts: Out<'a, u32>,
) {
    let (start, end) = mesh.cf.range(cell);
    let mut k = start;
    while k < end {
        connect(ends, mesh.across_cell(k), mesh.face_point(mesh.cf.column(k)), mesh.cell_point(cell));
        k += 1;
    }
    let (mut k, last) = mesh.ce.range(cell);
    while k < last {
        let edge = mesh.ce.column(k);
        // where the edge is a side of the cell's faces: the one along it, and the one against it
        let (mut along, mut against) = ((0, 0), (0, 0));
        let mut of_cell = start;
        while of_cell < end {
            let (face, of_face) = mesh.cf.entry(of_cell);
            let (mut side, sides_end) = mesh.fe.range(face);
            while side < sides_end {
                let (found, sign) = mesh.fe.entry(side);
                if found == edge {
                    if of_face * sign > 0 {
                        along = (of_cell, side);
                    } else {
                        against = (of_cell, side);
                    }
                }
                side += 1;
            }
            of_cell += 1;
        }
        let row = [
            (mesh.across_face(against.1), false),
            (mesh.across_cell(against.0), false),
            (mesh.across_cell(along.0), true),
            (mesh.across_face(along.1), true),
        ];
        quad(sides, mesh.sides + k, row);
        k += 1;
    }
    let (mut k, last) = mesh.cv.range(cell);
    while k < last {
        let (vertex, mut faces) = (mesh.cv.column(k), 0);
        mesh.cf.of(cell, |face, _| mesh.fv.of(face, |v, _| faces += (v == vertex) as u32));
        counts.set(k, 2 * faces);
        k += 1;
    }
}

/// The faces of the cells within each cell: one for each of its vertices, around which are quads of the
/// cell's faces, and quads at the cell's edges. Blocks: tiles of cells.
#[kernel(threads = 128)]
pub fn fill_cells<'a>(cell: Each, mesh: Coarse<'a>, starts: In<'a, u32>, to: Out<'a, i32>) {
    let (mut k, last) = mesh.cv.range(cell);
    while k < last {
        let (vertex, mut at, end) = (mesh.cv.column(k), starts.get(k), starts.get(k + 1));
        let mut put = |entry: i32| {
            if at < end {
                to.set(at, entry);
                at += 1;
            }
        };
        mesh.cf.of(cell, |face, sign| {
            let (mut side, sides_end) = mesh.fv.range(face);
            while side < sides_end {
                if mesh.fv.column(side) == vertex {
                    put(encode(side, sign < 0));
                }
                side += 1;
            }
        });
        let (mut entry, entries_end) = mesh.ce.range(cell);
        while entry < entries_end {
            let edge = mesh.ce.column(entry);
            let (begins, ends) = (mesh.ev.column(2 * edge), mesh.ev.column(2 * edge + 1));
            if begins == vertex || ends == vertex {
                put(encode(mesh.sides + entry, ends == vertex));
            }
            entry += 1;
        }
        k += 1;
    }
}
