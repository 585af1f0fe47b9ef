//! The kernels: one block a patch.

use ribbonmesh::device::query::Vv;
use ribbonmesh::device::{PerPatch, Values, ValuesMut, Vec3, Vertex, kernel};

/// The mean distance from every vertex to its neighbours; 0 for a vertex without any.
#[kernel]
pub fn mean_distance<'a>(
    patch: PerPatch<'_, 'a, Vv>,
    positions: Values<'a, Vertex, Vec3>,
    distances: ValuesMut<'a, Vertex, f32>,
) {
    patch.for_each_vertex(|vertex, neighbours| {
        let (here, count) = (positions.get(vertex), neighbours.len().max(1) as f32);
        let sum: f32 = neighbours.map(|other| positions.get(other).distance(here)).sum();
        distances.set(vertex, sum / count);
    });
}
