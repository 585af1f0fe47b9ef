//! Kernels of curvatures.
use crate::around::{FlatNeighbourhood, Neighbourhood};
use crate::limit;
use crate::sums::{Barycentric, Mixed, Share, Sums};
use glam::Vec3;
use ribbonmesh::corners::{Corners as _, Edges, FlatMesh, Points, Positions, Rows, RowsLayout, sort_row};
use ribbonmesh::device::math::{fast_recip, sqrt};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Parameter, Shared, kernel};

/// Results of a launch: one number per vertex in each array.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Results<'a> {
    /// Angle defects, in radians.
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
    #[inline(always)]
    fn set(&self, v: u32, found: Found) {
        self.defect.set(v, found.defect);
        self.area.set(v, found.area);
        self.gaussian.set(v, found.gaussian);
        self.mean.set(v, found.mean);
        self.geodesic.set(v, found.geodesic);
    }
}

/// The results at one vertex.
#[derive(Clone, Copy, Default)]
struct Found {
    defect: f32,
    area: f32,
    gaussian: f32,
    mean: f32,
    geodesic: f32,
}

fn memory<'b>(arena: &'b Arena, counts: &Counts) -> (RowsLayout<'b>, Shared<'b, f32>) {
    (Rows::layout(arena, counts), Positions::layout(arena, counts))
}

/// A value clamped to the range of `f32`; 0 for the difference of two numbers beyond it.
#[inline(always)]
fn finite(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(f32::MIN, f32::MAX) }
}

/// The curvatures at vertex `v`, and the number of its boundary edges.
#[inline(always)]
fn at_vertex<S: Share>(corners: impl Neighbourhood, x: impl Points, v: u32) -> (Found, u32) {
    let n = corners.count();
    if n == 0 {
        return (Found::default(), 0);
    }
    // the unit of lengths is an edge that is not of length 0
    let mut first = 0;
    while first + 1 < n && x.at(corners.corner(first).0) == x.at(v) {
        first += 1;
    }
    let edges = Edges::new(x, v, corners.corner(first).0);
    let (mut sums, mut k) = (Sums::new(), 0);
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

#[inline(always)]
fn fused<S: Share>(block: &Block, mesh: MeshView<'_>, x: In<'_, Vec3>, results: Results<'_>) {
    let p = mesh.patch(block.index());
    let (layout, words) = memory(block.arena(), &p.counts);
    let rows = Rows::transpose(block, &p, layout, || {
        Positions::stage_nosync(block, x, p.v, p.counts.v_near, words, || ());
    });
    let positions = Positions::new(words, p.v);
    block.for_each_nosync(p.v.owned, |v| {
        let (start, end) = rows.range(v);
        // a fixed order, so that the sums are the same every time
        sort_row(rows.corners(), start, end);
        results.set(p.v.first + v, at_vertex::<S>(rows.of(v), positions, v).0);
    });
    if block.index() + 1 == mesh.patches {
        let end = p.v.first + p.v.owned;
        block.for_each_nosync(mesh.vertices - end, |i| results.set(end + i, Found::default()));
    }
}

/// Place of a vertex: not on the boundary.
pub const INNER: u32 = 0;
/// Place of a vertex: on the boundary.
pub const BOUNDARY: u32 = 1;
/// Place of a vertex: on no face that has three vertices.
pub const ISOLATED: u32 = 2;

/// Computes the curvatures of a mesh without patches, and the place of each vertex.
#[inline(always)]
fn flat<S: Share>(
    block: &Block,
    mesh: FlatMesh<'_>,
    x: In<'_, Vec3>,
    results: Results<'_>,
    places: Out<'_, u32>,
) {
    block.for_each_of_tile(places.len() as u32, |v| {
        let corners = FlatNeighbourhood::new(mesh, v);
        let (found, boundary_edges) = at_vertex::<S>(corners, x, v);
        results.set(v, found);
        let connected = if boundary_edges > 0 { BOUNDARY } else { INNER };
        places.set(v, if corners.count() == 0 { ISOLATED } else { connected });
    });
}

/// Computes the curvatures of all vertices of a mesh without patches, with a third of each face as area; and
/// the place of each vertex: [`INNER`], [`BOUNDARY`] or [`ISOLATED`]. Blocks: tiles.
#[kernel(threads = 128)]
pub fn flat_barycentric<'a>(
    block: &Block,
    mesh: FlatMesh<'a>,
    x: In<'a, Vec3>,
    results: Results<'a>,
    places: Out<'a, u32>,
) {
    flat::<Barycentric>(block, mesh, x, results, places)
}
/// As [`flat_barycentric`], with mixed areas.
#[kernel(threads = 128)]
pub fn flat_mixed<'a>(
    block: &Block,
    mesh: FlatMesh<'a>,
    x: In<'a, Vec3>,
    results: Results<'a>,
    places: Out<'a, u32>,
) {
    flat::<Mixed>(block, mesh, x, results, places)
}

/// Computes the curvatures of all vertices, with a third of each face as area. One block per patch.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn curvature_barycentric<'a>(block: &Block, mesh: MeshView<'a>, x: In<'a, Vec3>, results: Results<'a>) {
    fused::<Barycentric>(block, mesh, x, results)
}
/// Computes the curvatures of all vertices, with mixed areas. One block per patch.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn curvature_mixed<'a>(block: &Block, mesh: MeshView<'a>, x: In<'a, Vec3>, results: Results<'a>) {
    fused::<Mixed>(block, mesh, x, results)
}
