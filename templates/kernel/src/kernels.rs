//! The kernels: one block a patch.

use ribbonmesh::device::query::Vv;
use ribbonmesh::device::{Block, In, MeshView, Out, ResolveRibbon, Vec3, kernel};

/// The mean distance from every vertex to its neighbours; 0 for a vertex without any.
#[kernel(threads = 128, shared = Vv::layout(arena, &mesh.max))]
pub fn mean_distance<'a>(block: &Block, mesh: MeshView<'a>, positions: In<'a, Vec3>, distances: Out<'a, f32>) {
    let patch = mesh.patch(block.index());
    let vv = Vv::transpose(block, &patch, Vv::layout(block.arena(), &patch.counts), 0);
    block.for_each_nosync(patch.v.owned, |v| {
        let id = patch.v.first + v;
        let here = positions.get(id);
        let (mut sum, mut count) = (0.0, 0.0);
        for neighbour in vv.of(v) {
            sum += positions.get(patch.v.global(neighbour)).distance(here);
            count += 1.0;
        }
        distances.set(id, if count > 0.0 { sum / count } else { 0.0 });
    });
}
