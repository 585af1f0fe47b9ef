//! Projection to the surface of the input.
use super::values::*;
use glam::Vec3;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::{Block, NONE, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::DynamicView;
use ribbonmesh::features::kind::{CORNER, CURVE};

/// Vertices per block: one per thread, since a search waits for memory most of the time.
pub const VERTICES: u32 = 128;

/// Finds the point of the input that is closest to each of `n` vertices: a point of its surface, or of its
/// curves for vertices of curves. If there are no curves, or `round` is 1, these vertices are projected to
/// the surface, too. Corners stay. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn project<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    surface: BvhView<'a>,
    curves: BvhView<'a>,
    round: u32,
    n: u32,
    y: ValuesMut<'a, Vertex, Vec3>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let p = values.x.get(v);
        let kind = values.kind.get(v);
        let mut to = p;
        // where two features were merged, the vertex belongs to neither of them: it is not projected
        let merged = values.has(SHARP) && values.moved.get(v) > 0.0;
        if mesh.is_living(v) && kind != CORNER && kind != JOINT && !merged {
            let found = if kind == CURVE && round == 0 && curves.faces() > 0 {
                curves.closest(p)
            } else {
                let found = surface.closest_from(p, values.near.get(v));
                values.near.set(v, found.face);
                found
            };
            if found.face != NONE {
                to = found.point;
            }
        }
        y.set(v, to);
    });
}
