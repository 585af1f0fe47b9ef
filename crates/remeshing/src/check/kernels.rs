//! Lists of the faces that operators have made, and marks at their vertices.
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, Each, FaceId, HalfEdge, In, Out, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::DynamicView;

/// Sets 1 for each of `n` faces that is not deleted, else 0.
#[kernel(threads = 256)]
pub fn flag_living<'a>(f: Each, mesh: DynamicView<'a>, living: Out<'a, u32>) {
    living.set(f, mesh.living_corners(FaceId::new(f)).is_some() as u32);
}

/// Lists the vertices of each face of a list, and 1 if the given pass or a later one made it, else 0.
#[kernel(threads = 256)]
pub fn list_faces<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    list: In<'a, u32>,
    pass: u32,
    corners: Out<'a, [u32; 3]>,
    made: Out<'a, u32>,
) {
    block.for_each_of_tile(list.len() as u32, |i| {
        let f = FaceId::new(list.get(i));
        if let Some(ids) = mesh.living_corners(f) {
            corners.set(i, ids.map(VertexId::index));
        }
        made.set(i, (mesh.changed_in(HalfEdge::new(4 * f.index())) >= pass) as u32);
    });
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
