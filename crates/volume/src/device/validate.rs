//! Checks whether operators belong to a mesh: the boundary of a boundary is empty.
use super::tcsr::TcsrView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, Out, kernel};

/// Records in `wrong[0]` the smallest face whose sides are not a closed cycle of at least three, or that has
/// a vertex twice. Blocks: tiles.
#[kernel(threads = 128)]
pub fn check_cycles<'a>(block: &Block, n: u32, fe: TcsrView<'a>, ev: TcsrView<'a>, wrong: Out<'a, u32>) {
    let end_of = |k: u32, end: u32| {
        let (edge, sign) = fe.entry(k);
        ev.column(2 * edge + (end == (sign > 0) as u32) as u32)
    };
    block.for_each_of_tile(n, |face| {
        let (start, end) = fe.range(face);
        let mut fine = end - start >= 3;
        let mut k = start;
        while fine && k < end {
            let next = if k + 1 == end { start } else { k + 1 };
            // side k ends where the next one begins
            fine = end_of(k, 1) == end_of(next, 0);
            let mut j = start;
            while fine && j < k {
                fine = end_of(j, 0) != end_of(k, 0);
                j += 1;
            }
            k += 1;
        }
        if !fine {
            atomic::fetch_min(wrong, 0, face, Relaxed, Device);
        }
    });
}

/// Records in `wrong[0]` the smallest cell with a face twice, or with an edge that is not a side of exactly
/// two of its faces, once in each direction. The work grows with the square of a cell's sides. Blocks: tiles.
#[kernel(threads = 128)]
pub fn check_cells<'a>(cell: Each, cf: TcsrView<'a>, fe: TcsrView<'a>, wrong: Out<'a, u32>) {
    let mut bad = false;
    cf.of(cell, |face, of_face| {
        let mut times = 0;
        cf.of(cell, |other, _| times += (other == face) as u32);
        bad |= times != 1;
        fe.of(face, |edge, of_edge| {
            let (mut along, mut against) = (0, 0);
            cf.of(cell, |other, of_other| {
                fe.of(other, |e, s| {
                    if e == edge {
                        if s * of_other == of_edge * of_face {
                            along += 1;
                        } else {
                            against += 1;
                        }
                    }
                });
            });
            bad |= along != 1 || against != 1;
        });
    });
    if bad || cf.row_len(cell) == 0 {
        atomic::fetch_min(wrong, 0, cell, Relaxed, Device);
    }
}

/// Records in `wrong[0]` the smallest edge with the same vertex at both ends, or whose first entry is not its
/// start. Blocks: tiles.
#[kernel(threads = 256)]
pub fn check_edges<'a>(edge: Each, ev: TcsrView<'a>, wrong: Out<'a, u32>) {
    let ((start, minus), (end, plus)) = (ev.entry(2 * edge), ev.entry(2 * edge + 1));
    if start == end || minus > 0 || plus < 0 {
        atomic::fetch_min(wrong, 0, edge, Relaxed, Device);
    }
}
