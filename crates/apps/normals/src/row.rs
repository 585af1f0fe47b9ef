//! The normal of a vertex from its corners in shared memory.
use crate::careful;
use crate::corner::{Sum, Weighting};
use glam::Vec3;
use ribbonmesh::corners::{Edges, Positions, Rows, sort_row};
use ribbonmesh::device::{hi, lo};

/// The normal of owned vertex `v`, if `f32` is precise enough. Sorts its row, so that the sum is the same every time.
#[inline(always)]
pub fn normal<W: Weighting>(rows: Rows, x: Positions, v: u32) -> Option<Vec3> {
    let (start, end) = rows.range(v);
    if start == end {
        return Some(Vec3::ZERO);
    }
    let corners = rows.corners();
    sort_row(corners, start, end);
    let edges = Edges::new(x, v, lo(corners.get(start)));
    let (mut sum, mut k) = (Sum::new(), start);
    while k < end {
        let corner = corners.get(k);
        let (a, b) = (edges.to(lo(corner)), edges.to(hi(corner)));
        let (aa, bb) = (a.dot(a), b.dot(b));
        W::edge(&mut sum, aa);
        W::edge(&mut sum, bb);
        W::add(&mut sum, a, b, aa, bb);
        k += 1;
    }
    sum.normal()
}
/// The same in `f64`.
#[inline(always)]
pub fn careful_normal<W: Weighting>(rows: Rows, x: Positions, v: u32) -> Vec3 {
    let ((start, end), corners) = (rows.range(v), rows.corners());
    let corners = (start..end).map(|k| (lo(corners.get(k)), hi(corners.get(k))));
    careful::careful_normal::<W>(x, v, corners)
}
