//! Null-space smoothing.
use super::eigen::eigen;
use super::rank::{SMALL, VERTICES, star};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Greatest step of a vertex, in least heights of its triangles: if no vertex moves by half a height, no
/// triangle loses its area.
const ROOM: f32 = 0.45;

/// Computes the new position of each of `n` vertices: towards the mean of its triangles' centres, weighted by
/// area, in the space of the small eigenvalues (Brochu and Bridson 2009, section 3.4; Jiao 2007), by the part
/// `step` of the distance. Vertices of the boundary stay. If `keep_volume` is not 0, the step is also
/// perpendicular to the sum of the normals, so that the step of one vertex does not change the enclosed
/// volume. Needs half-edges of vertices. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn smooth<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    step: f32,
    keep_volume: u32,
    y: ValuesMut<'a, Vertex, Vec3>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let by = way(mesh, x, v, step, keep_volume != 0);
        y.set(v, x.get(v) + by);
    });
}

#[inline(always)]
fn way(
    mesh: DynamicView<'_>,
    x: Values<'_, Vertex, Vec3>,
    v: VertexId,
    step: f32,
    keep_volume: bool,
) -> Vec3 {
    let Some(h) = mesh.half_edge_at(v) else { return Vec3::ZERO };
    let sums = star(mesh, x, h);
    if sums.open || sums.area <= 0.0 {
        return Vec3::ZERO;
    }
    let by = sums.ways * (step / (3.0 * sums.area));
    let found = eigen(sums.squares);
    let [a, b, c] = found.values;
    let small = SMALL * a.max(b).max(c);
    let [u, v, w] = found.vectors;
    let part = |value: f32, n: Vec3| if value < small { n * n.dot(by) } else { Vec3::ZERO };
    let mut by = part(a, u) + part(b, v) + part(c, w);
    let square = sums.normals.length_squared();
    if keep_volume && square > 0.0 {
        by -= sums.normals * (by.dot(sums.normals) / square);
    }
    let (length, most) = (sqrt(by.length_squared()), ROOM * sqrt(sums.height));
    if length > most { by * (most / length) } else { by }
}
