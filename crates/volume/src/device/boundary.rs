//! The surface of a volume.
use super::tcsr::TcsrView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, NONE, Out, kernel};

/// The sides of a face that belong to the surface: against the face's cycle, and along it. A side does if a
/// cell has it from inside and no cell from outside; both sides do if the face has no cell.
#[inline(always)]
fn sides(fc: TcsrView<'_>, face: u32) -> (bool, bool) {
    let (mut into, mut out) = (false, false);
    fc.of(face, |_, sign| if sign > 0 { into = true } else { out = true });
    if into == out { (!into, !into) } else { (into, out) }
}

/// Counts the triangles that each face gives. Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_boundary<'a>(face: Each, fc: TcsrView<'a>, fe: TcsrView<'a>, counts: Out<'a, u32>) {
    let (against, along) = sides(fc, face);
    counts.set(face, (against as u32 + along as u32) * (fe.row_len(face) - 2));
}

/// Writes the triangles of each face, whose normals point out of the volume, with the face and the cell
/// behind it. Polygons are cut at their first, smallest vertex. Blocks: tiles.
#[kernel(threads = 128)]
pub fn fill_boundary<'a>(
    face: Each,
    fc: TcsrView<'a>,
    fv: TcsrView<'a>,
    starts: In<'a, u32>,
    triangles: Out<'a, u32>,
    faces: Out<'a, u32>,
    cells: Out<'a, u32>,
) {
    let (against, along) = sides(fc, face);
    let (start, end) = fv.range(face);
    let cell = if fc.row_len(face) == 0 { NONE } else { fc.column(fc.range(face).0) };
    let mut to = starts.get(face);
    let mut emit = |reversed: bool| {
        let mut k = start + 1;
        while k + 1 < end {
            let (b, c) = (fv.column(k), fv.column(k + 1));
            triangles.set(3 * to, fv.column(start));
            triangles.set(3 * to + 1, if reversed { c } else { b });
            triangles.set(3 * to + 2, if reversed { b } else { c });
            faces.set(to, face);
            cells.set(to, cell);
            to += 1;
            k += 1;
        }
    };
    if against {
        emit(true);
    }
    if along {
        emit(false);
    }
}

/// Flags the vertices of all faces that belong to the surface. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_boundary<'a>(face: Each, fc: TcsrView<'a>, fv: TcsrView<'a>, flags: Out<'a, u32>) {
    let (against, along) = sides(fc, face);
    if against || along {
        fv.of(face, |vertex, _| atomic::store(flags, vertex, 1, Relaxed, Device));
    }
}
