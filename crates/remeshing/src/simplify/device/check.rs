//! Search for the collapses that made faces that intersect others.
use super::values::{NEVER, REJECTED, Values};
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, Each, EdgeId, In, Out, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Marks each edge whose collapse made one of the faces that intersect others. `made` lists the faces that
/// the pass made, as indices into `corners`; `intersects` tells for each of them whether it intersects
/// another one.
///
/// Each face that a collapse makes is a face of the vertex that the collapse leaves, and of no other such
/// vertex, since the faces of two collapses of a pass are disjoint.
#[kernel(threads = 256)]
pub fn mark_refused<'a>(
    block: &Block,
    corners: In<'a, [u32; 3]>,
    made: In<'a, u32>,
    intersects: In<'a, u32>,
    values: Values<'a>,
    refused: Out<'a, u32>,
) {
    block.for_each_of_tile(made.len() as u32, |i| {
        if intersects.get(i) == 0 {
            return;
        }
        for v in corners.get(made.get(i)) {
            let seed = values.seeds.get(VertexId::new(v));
            if seed != 0 {
                atomic::store(refused, seed - 1, 1, Order::Relaxed, Scope::Device);
            }
        }
    });
}

/// Writes 1 for each edge whose collapse left one of `n` vertices, to the edges that a repetition may
/// collapse.
#[kernel(threads = 256)]
pub fn mark_collapsed<'a>(v: Each, values: Values<'a>) {
    let seed = values.seeds.get(VertexId::new(v));
    if seed != 0 {
        values.again.set(EdgeId::new(seed - 1), 1);
    }
}

/// Sets the sign of the cost of each edge that is marked, or that the pass has rejected, by the bits of
/// `rejected`, so that it is not selected until a face around it is made. Also removes the marked edges from
/// those that a repetition may collapse.
#[kernel(threads = 256)]
pub fn refuse<'a>(block: &Block, refused: In<'a, u32>, rejected: In<'a, u32>, values: Values<'a>) {
    block.for_each_of_tile(refused.len() as u32, |i| {
        let e = EdgeId::new(i);
        let marked = refused.get(i) != 0;
        if marked {
            values.again.set(e, 0);
        }
        if marked || rejected.get(i / 32) >> (i % 32) & 1 != 0 {
            values.cost.set(e, values.cost.get(e) | REJECTED);
        }
    });
}

/// Sets the sign of the cost of each of `n` edges with an end that is held, so that it is not selected; if
/// `release` is 1, removes it instead.
#[kernel(threads = 256)]
pub fn hold_edges<'a>(e: Each, mesh: DynamicView<'a>, values: Values<'a>, release: u32) {
    let e = EdgeId::new(e);
    let [g, h] = mesh.sides(e);
    let Some(side) = g.or(h) else { return };
    let cost = values.cost.get(e);
    let held = |v: VertexId| values.held.get(v) != 0;
    if cost & !REJECTED < NEVER && (held(mesh.from(side)) || held(mesh.to(side))) {
        values.cost.set(e, if release != 0 { cost & !REJECTED } else { cost | REJECTED });
    }
}
