//! Finding features: what kernels do for each edge and each vertex.
use crate::{Marks, kind, triangle};
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{NONE, Out};
use ribbonmesh_cavity::DynamicView;

fn add(memory: Out<'_, u32>, i: u32) {
    atomic::fetch_add(memory, i, 1, Order::Relaxed, Scope::Device);
}

/// Marks edge `e` if its faces' normals have an angle with a cosine below `cosine`, else clears its mark; and counts it at
/// its vertices if it has the mark or lies on the boundary. `marked[0]` and `marked[1]` get the number of either.
#[inline(always)]
pub fn mark(
    mesh: DynamicView<'_>,
    e: u32,
    x: impl Fn(u32) -> Vec3,
    cosine: f32,
    marks: Out<'_, u32>,
    counts: Out<'_, u32>,
    marked: Out<'_, u32>,
) {
    let sides = mesh.sides(e);
    let open = sides[0] == NONE || sides[1] == NONE;
    let sharp = !open && {
        let [a, b, c, d] = mesh.diamond(sides).map(x);
        triangle::sharp([[a, b, c], [b, a, d]], cosine)
    };
    Marks { words: marks, some: 1 }.set(e, sharp);
    if (open || sharp) && sides != [NONE; 2] {
        let [a, b] = mesh.ends_of(sides);
        add(counts, a);
        add(counts, b);
        add(marked, open as u32);
    }
}

/// Sets the kind of vertex `v`, and counts it in `counts` unless it is free.
#[inline(always)]
pub fn count(v: u32, kind: u32, kinds: Out<'_, u32>, counts: Out<'_, u32>) {
    kinds.set(v, kind);
    if kind != kind::FREE {
        add(counts, kind);
    }
}
