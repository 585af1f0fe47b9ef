//! Lists of the faces that operators have made, and marks at their vertices.
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, Each, FaceId, HalfEdge, In, NONE, Out, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::DynamicView;

/// Lists the vertices of each of `n` faces, [`NONE`] for those of a deleted one.
#[kernel(threads = 256)]
pub fn list_corners<'a>(f: Each, mesh: DynamicView<'a>, corners: Out<'a, [u32; 3]>) {
    let ids = mesh.living_corners(FaceId::new(f));
    corners.set(f, ids.map_or([NONE; 3], |ids| ids.map(VertexId::index)));
}

/// Sets 1 for each of `n` places of a tree whose face is not deleted, and which the given pass or a later one
/// made, else 0.
#[kernel(threads = 256)]
pub fn flag_made<'a>(place: Each, bvh: BvhView<'a>, mesh: DynamicView<'a>, pass: u32, made: Out<'a, u32>) {
    let f = FaceId::new(bvh.face_at(place));
    let is = mesh.living_corners(f).is_some() && mesh.changed_in(HalfEdge::new(4 * f.index())) >= pass;
    made.set(place, is as u32);
}

/// Sets bits for the vertices of the faces that intersect others. `list` lists faces, as indices into
/// `corners`; `intersects` tells for each of them whether it intersects another one.
#[kernel(threads = 256)]
pub fn bar_vertices<'a>(
    block: &Block,
    corners: In<'a, [u32; 3]>,
    list: In<'a, u32>,
    intersects: In<'a, u32>,
    bits: u32,
    barred: ValuesMut<'a, Vertex, u32>,
) {
    block.for_each_of_tile(list.len() as u32, |i| {
        if intersects.get(i) != 0 {
            for v in corners.get(list.get(i)) {
                atomic::fetch_or(barred.memory(), v, bits, Order::Relaxed, Scope::Device);
            }
        }
    });
}
