//! Relations that orientation gives without sorting: the vertices of a face along its cycle, and the edges of
//! a cell.
use super::tcsr::TcsrView;
use super::transpose::sort_entries;
use ribbonmesh::device::{Each, In, Out, kernel};

/// For each side of each face the vertex where it begins: the vertices of the face along its cycle. Rows are
/// as long as the rows of the faces' edges. Blocks: tiles of sides.
#[kernel(threads = 256)]
pub fn face_vertices<'a>(k: Each, fe: TcsrView<'a>, ev: TcsrView<'a>, to: Out<'a, i32>) {
    let (edge, sign) = fe.entry(k);
    to.set(k, ev.column(2 * edge + (sign < 0) as u32) as i32);
}

/// Counts the edges of each cell: half of the sides of its faces, since each edge is a side of two. Blocks:
/// tiles.
#[kernel(threads = 256)]
pub fn count_cell_edges<'a>(cell: Each, cf: TcsrView<'a>, fe: TcsrView<'a>, counts: Out<'a, u32>) {
    let mut sides = 0;
    cf.of(cell, |face, _| sides += fe.row_len(face));
    counts.set(cell, sides / 2);
}

/// Writes the edges of each cell, ascending: of the two sides at an edge the one that runs along it. Blocks:
/// tiles.
#[kernel(threads = 128)]
pub fn fill_cell_edges<'a>(
    cell: Each,
    cf: TcsrView<'a>,
    fe: TcsrView<'a>,
    starts: In<'a, u32>,
    to: Out<'a, i32>,
) {
    let (start, end) = (starts.get(cell), starts.get(cell + 1));
    let mut k = start;
    cf.of(cell, |face, of_face| {
        fe.of(face, |edge, of_edge| {
            if of_face * of_edge > 0 && k < end {
                to.set(k, edge as i32);
                k += 1;
            }
        });
    });
    // a cell whose faces do not close has fewer
    while k < end {
        to.set(k, 0);
        k += 1;
    }
    sort_entries(to, start, end);
}

/// The other ends of the edges of each vertex, ascending. Rows are as long as the rows of the vertices'
/// edges. Blocks: tiles.
#[kernel(threads = 128)]
pub fn vertex_neighbours<'a>(vertex: Each, ve: TcsrView<'a>, ev: TcsrView<'a>, to: Out<'a, i32>) {
    let (start, end) = ve.range(vertex);
    let mut k = start;
    while k < end {
        let (edge, sign) = ve.entry(k);
        // the sign is that of this end: -1 where the edge begins here
        to.set(k, ev.column(2 * edge + (sign < 0) as u32) as i32);
        k += 1;
    }
    sort_entries(to, start, end);
}
