//! Number of triangles that a surface needs.
use super::values::{SIZED, Values};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, FaceId, Out, TILE, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Sums, for each tile of faces, their areas over the area of an equilateral triangle whose edges have the
/// target length; where target lengths differ, the longest one at the face's vertices.
#[kernel(threads = 256)]
pub fn cover<'a>(block: &Block, mesh: DynamicView<'a>, values: Values<'a>, n: u32, sums: Out<'a, f64>) {
    block.for_each_tile(n, |base, len| {
        let sum = block.reduce(
            len,
            0.0,
            |i| {
                let corners = mesh.corners(FaceId::new(base + i));
                let [a, b, c] = corners.map(|v| values.x.get(v));
                let length = longest(values, corners);
                // divided first, so that squares do not underflow
                let (p, q): (Vec3, Vec3) = ((b - a) / length, (c - a) / length);
                let n = p.cross(q);
                (sqrt(n.dot(n)) * 1.154_700_5) as f64
            },
            |a: f64, b| a + b,
        );
        block.single_nosync(|| sums.set(base / TILE, sum));
    });
}

/// The longest target length at three vertices.
#[inline(always)]
fn longest(values: Values<'_>, [a, b, c]: [VertexId; 3]) -> f32 {
    if values.has(SIZED) {
        values.size.get(a).max(values.size.get(b)).max(values.size.get(c))
    } else {
        values.length
    }
}
