//! Vertices without faces.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Each, In, Out, VertexId, kernel};
use crate::dynamic::{DynamicView, MeshRef};

/// 0 for the vertex of each of `n` corners; `marks` are 1 before.
#[kernel(threads = 256)]
pub fn unmark_corners<'a>(c: Each, faces: In<'a, u32>, marks: Out<'a, u32>) {
    atomic::store(marks, faces.get(c), 0, Relaxed, Device);
}

/// 1 for each of `n` vertices that has no face, else 0. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn mark_isolated_vertices<'a>(v: Each, mesh: DynamicView<'a>, marks: Out<'a, u32>) {
    marks.set(v, mesh.half_edge_at(VertexId::new(v)).is_none() as u32);
}
