//! Kernels of curvatures.
use crate::curvature::around::FlatNeighbourhood;
use crate::curvature::at_vertex::{Results, at_vertex};
use crate::curvature::sums::{Barycentric, Mixed, Share};
use glam::Vec3;
use ribbonmesh::corners::{Corners as _, FlatMesh};
use ribbonmesh::device::{Block, In, Out, kernel};

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
