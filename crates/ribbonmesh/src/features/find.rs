//! Finding features: what kernels do for each edge and each vertex.
use crate::device::atomic::{self, Order, Scope};
use crate::device::{EdgeId, Out, ValuesMut, Vertex, VertexId};
use crate::dynamic::{Diamond, MeshRef};
use crate::features::{Marks, kind, triangle};
use glam::Vec3;

fn add(memory: Out<'_, u32>, i: u32) {
    atomic::fetch_add(memory, i, 1, Order::Relaxed, Scope::Device);
}

/// Marks edge `e` if its faces' normals have an angle with a cosine below `cosine`; marks that it has stay.
/// Counts it at its vertices if it has a mark or lies on the boundary. `marked[0]` and `marked[1]` get the
/// number of either.
#[inline(always)]
pub fn mark(
    mesh: impl MeshRef,
    e: EdgeId,
    x: impl Fn(VertexId) -> Vec3,
    cosine: f32,
    marks: Marks<'_>,
    counts: Out<'_, u32>,
    marked: Out<'_, u32>,
) {
    let diamond = Diamond::new(mesh, e);
    let corners = diamond.and_then(|diamond| diamond.corners());
    let sharp = corners.is_some_and(|corners| {
        let [a, b, c, d] = corners.map(x);
        marks.words.get(e) != 0 || triangle::sharp([[a, b, c], [b, a, d]], cosine)
    });
    marks.set(e, sharp);
    if let Some(diamond) = diamond
        && (diamond.on_boundary() || sharp)
    {
        let [a, b] = diamond.ends();
        add(counts, a.index());
        add(counts, b.index());
        add(marked, diamond.on_boundary() as u32);
    }
}

/// Sets the kind of vertex `v`, and counts it in `counts` unless it is free.
#[inline(always)]
pub fn count(v: VertexId, kind: u32, kinds: ValuesMut<'_, Vertex, u32>, counts: Out<'_, u32>) {
    kinds.set(v, kind);
    if kind != kind::FREE {
        add(counts, kind);
    }
}
