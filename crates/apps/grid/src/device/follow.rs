//! Vertices of a surface that follow the liquid.
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, Values, ValuesMut, Vertex, VertexId, kernel};

/// Copies positions of vertices.
#[kernel(threads = 256)]
pub fn places_of_vertices<'a>(block: &Block, n: u32, x: Values<'a, Vertex, Vec3>, to: Out<'a, Vec3>) {
    block.for_each_of_tile(n, |i| to.set(i, x.get(VertexId::new(i))));
}

/// Computes the velocities that lead from the positions of vertices to their new ones, per unit of time 1 /
/// `rate`.
#[kernel(threads = 256)]
pub fn velocities_of_vertices<'a>(
    block: &Block,
    n: u32,
    rate: f32,
    x: Values<'a, Vertex, Vec3>,
    to: In<'a, Vec3>,
    velocities: ValuesMut<'a, Vertex, Vec3>,
) {
    block.for_each_of_tile(n, |i| {
        let v = VertexId::new(i);
        velocities.set(v, rate * (to.get(i) - x.get(v)));
    });
}
