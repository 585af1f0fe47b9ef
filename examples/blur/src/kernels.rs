//! The kernel: one step for each vertex.
use ribbonmesh::device::query::Vv;
use ribbonmesh::device::{PerPatch, Values, ValuesMut, Vertex, kernel};

/// Moves each value towards the mean of the values at the vertex's neighbours: by the whole difference where
/// `weight` is 1. A vertex without neighbours keeps its value.
#[kernel]
pub fn blur_step<'a>(
    patch: PerPatch<'_, 'a, Vv>,
    from: Values<'a, Vertex, f32>,
    weight: f32,
    to: ValuesMut<'a, Vertex, f32>,
) {
    patch.for_each_vertex(|v, neighbours| {
        let (here, count) = (from.get(v), neighbours.len());
        let sum: f32 = neighbours.map(|u| from.get(u)).sum();
        let mean = if count > 0 { sum / count as f32 } else { here };
        to.set(v, here + weight * (mean - here));
    });
}
