//! Features, kinds of vertices, and the first quadrics.
use super::quadric::{Quadric, wide};
use super::values::Values;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, Each, Out, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::find;
use ribbonmesh::features::kind::{CORNER, CURVE, FREE};

/// Finds the kind of each of `n` vertices. `counts` has the number of edges of curves at each vertex: without
/// such edges it is free; with two it is a vertex of a curve; else it is a corner. If `fixed` is 1, vertices
/// of the boundary are corners. Vertices without faces are corners. `kinds[0..3]` get the number of each kind
/// but the first. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn classify_vertices<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    counts: Out<'a, u32>,
    fixed: u32,
    kinds: Out<'a, u32>,
) {
    let v = VertexId::new(v);
    let kind = match (mesh.half_edge_at(v), counts.get(v.index())) {
        (Some(_), 0) => FREE,
        (Some(h), 2) if !(fixed != 0 && mesh.on_boundary(h)) => CURVE,
        _ => CORNER,
    };
    find::count(v, kind, values.kind, kinds);
}

/// Computes the first quadric of each of `n` vertices: the planes of its faces, each with a third of its area
/// (Garland 1999, section 3.4.1), and the planes through the edges of curves at it that are perpendicular to
/// their faces, with `curve_weight` times the edge's squared length (Garland and Heckbert 1997, section 6).
/// Needs half-edges of vertices. One thread adds up a vertex, in the order of its faces around it, so that
/// the sums are the same every time.
#[kernel(threads = 256)]
pub fn quadrics<'a>(v: Each, mesh: DynamicView<'a>, values: Values<'a>, curve_weight: f32) {
    let v = VertexId::new(v);
    let (h, p) = (mesh.half_edge_at(v), wide(values.x.get(v)));
    let mut q = Quadric::ZERO;
    if let Some(h) = h {
        mesh.star(h, |g| {
            let to = |v: VertexId| wide(values.x.get(v)) - p;
            let (a, b) = (to(mesh.to(g)), to(mesh.opposite(g)));
            q.add_face([a, b], [g, g.prev()].map(|side| values.marks.of_curve(mesh, side)), curve_weight);
            true
        });
    }
    q.store(values.quadrics, v);
}

/// Finds the largest mean squared distance from the planes of a vertex, over `n` vertices, and stores it as
/// bits in `most[0]`.
#[kernel(threads = 256)]
pub fn worst<'a>(block: &Block, mesh: DynamicView<'a>, values: Values<'a>, n: u32, most: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let largest = |a: u32, b: u32| if a > b { a } else { b };
        let of_tile = block.reduce(
            len,
            0,
            |i| {
                let v = VertexId::new(base + i);
                let error = Quadric::load(values.quadrics, v).mean_error();
                if mesh.is_living(v) { error.to_bits() } else { 0 }
            },
            largest,
        );
        block.single_nosync(|| {
            atomic::fetch_max(most, 0, of_tile, Order::Relaxed, Scope::Device);
        });
    });
}
