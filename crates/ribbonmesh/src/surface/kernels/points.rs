//! Positions.
use crate::device::{Block, ValuesMut, Vertex, VertexId, kernel};
use glam::Vec3;

/// Multiplies the positions of `n` vertices.
#[kernel(threads = 256)]
pub fn scale_points<'a>(block: &Block, n: u32, factor: f32, x: ValuesMut<'a, Vertex, Vec3>) {
    block.for_each_of_tile(n, |v| {
        let v = VertexId::new(v);
        x.set(v, x.get(v) * factor);
    });
}
