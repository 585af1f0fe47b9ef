//! Volumes of cells.
use super::tcsr::TcsrView;
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Each, In, Out, kernel};

/// Six times the volume between the origin and a polygon that is cut into triangles at its first point.
#[inline(always)]
pub fn fan(len: u32, at: impl Fn(u32) -> DVec3) -> f64 {
    let (first, mut last) = (at(0), at(1));
    let (mut sum, mut k) = (0.0, 2);
    while k < len {
        let next = at(k);
        sum += first.dot(last.cross(next));
        last = next;
        k += 1;
    }
    sum
}

/// The volume of each cell, by the divergence theorem; negative where the cell is inverted. Blocks: tiles.
#[kernel(threads = 128)]
pub fn cell_volumes<'a>(cell: Each, cf: TcsrView<'a>, fv: TcsrView<'a>, x: In<'a, Vec3>, to: Out<'a, f64>) {
    let at = |k: u32| x.get(fv.column(k)).as_dvec3();
    let (mut sum, mut origin, mut begun) = (0.0, DVec3::ZERO, false);
    cf.of(cell, |face, sign| {
        let (start, end) = fv.range(face);
        if !begun {
            (origin, begun) = (at(start), true);
        }
        // a face of sign 1 has its normal into the cell
        sum -= sign as f64 * fan(end - start, |k| at(start + k) - origin);
    });
    to.set(cell, sum / 6.0);
}
