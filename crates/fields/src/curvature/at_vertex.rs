//! The curvatures of one vertex.
use crate::curvature::around::Neighbourhood;
use crate::curvature::limit;
use crate::curvature::sums::{Share, Sums};
use ribbonmesh::corners::{Edges, Points};
use ribbonmesh::device::math::{fast_recip, sqrt};
use ribbonmesh::device::{Out, Parameter};

/// Where the results go: a number per vertex each.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Results<'a> {
    /// The angle that is missing, in radians.
    pub defect: Out<'a, f32>,
    /// Area around the vertex.
    pub area: Out<'a, f32>,
    /// Gaussian curvature; 0 on the boundary.
    pub gaussian: Out<'a, f32>,
    /// Mean curvature; 0 on the boundary.
    pub mean: Out<'a, f32>,
    /// Geodesic curvature of the boundary; 0 elsewhere.
    pub geodesic: Out<'a, f32>,
}
impl Results<'_> {
    /// Sets those of a vertex.
    #[inline(always)]
    pub fn set(&self, v: u32, found: Found) {
        self.defect.set(v, found.defect);
        self.area.set(v, found.area);
        self.gaussian.set(v, found.gaussian);
        self.mean.set(v, found.mean);
        self.geodesic.set(v, found.geodesic);
    }
}

/// The results of a vertex.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// Angle defect in radians.
    pub defect: f32,
    /// The area of the vertex.
    pub area: f32,
    /// Gaussian curvature.
    pub gaussian: f32,
    /// Mean curvature.
    pub mean: f32,
    /// Geodesic curvature of the boundary.
    pub geodesic: f32,
}

/// Moved into the range of `f32`; 0 for the difference of two numbers beyond it.
#[inline(always)]
fn finite(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(f32::MIN, f32::MAX) }
}

/// The curvatures at vertex `v`, and its number of boundary edges.
#[inline(always)]
pub fn at_vertex<S: Share>(corners: impl Neighbourhood, x: impl Points, v: u32) -> (Found, u32) {
    let n = corners.count();
    if n == 0 {
        return (Found::default(), 0);
    }
    // lengths are measured by an edge that has one
    let mut first = 0;
    while first + 1 < n && x.at(corners.corner(first).0) == x.at(v) {
        first += 1;
    }
    let edges = Edges::new(x, v, corners.corner(first).0);
    let (mut sums, mut k) = (Sums::default(), 0);
    while k < n {
        let (next, previous) = corners.corner(k);
        if !sums.add::<S>(edges.to(next), edges.to(previous))
            && let Some((cosine, sine)) = limit::corner(x.at(v), x.at(next), x.at(previous))
        {
            sums.turn.add(cosine, sine);
        }
        k += 1;
    }
    let mut length = 0.0;
    let around = corners.around(|l| {
        let a = edges.to(l);
        length += 0.5 * sqrt(a.dot(a));
    });
    let (scale, unscale) = (edges.scale(), fast_recip(edges.scale()));
    let defect = sums.turn.defect(2 + around.faces as i32 - around.edges as i32);
    let mut found = Found { defect, ..Found::default() };
    if sums.area >= f32::MIN_POSITIVE {
        found.area = finite(sums.area * unscale * unscale);
    }
    if around.boundary_edges > 0 {
        if (f32::MIN_POSITIVE..=f32::MAX).contains(&length) {
            found.geodesic = finite(defect * fast_recip(length) * scale);
        }
    } else if sums.area >= f32::MIN_POSITIVE {
        found.gaussian = finite(defect * fast_recip(sums.area) * scale * scale);
        found.mean = finite(sums.mean() * scale);
    }
    (found, around.boundary_edges)
}
