//! The normal of a vertex from its corners.
use crate::normals::careful;
use crate::normals::corner::{Sum, Weighting};
use glam::Vec3;
use ribbonmesh::corners::{Corners, Edges, Points};

/// The normal of vertex `v` with these corners, if `f32` is precise enough.
#[inline(always)]
pub fn normal<W: Weighting>(corners: impl Corners, x: impl Points, v: u32) -> Option<Vec3> {
    let n = corners.count();
    if n == 0 {
        return Some(Vec3::ZERO);
    }
    let edges = Edges::new(x, v, corners.corner(0).0);
    let (mut sum, mut k) = (Sum::default(), 0);
    while k < n {
        let (next, previous) = corners.corner(k);
        let (a, b) = (edges.to(next), edges.to(previous));
        let (aa, bb) = (a.dot(a), b.dot(b));
        W::edge(&mut sum, aa);
        W::edge(&mut sum, bb);
        W::add(&mut sum, a, b, aa, bb);
        k += 1;
    }
    sum.normal()
}
/// As [`normal`], in `f64`.
#[inline(always)]
pub fn careful_normal<W: Weighting>(corners: impl Corners, x: impl Points, v: u32) -> Vec3 {
    careful::careful_normal::<W>(x, v, corners.all())
}
