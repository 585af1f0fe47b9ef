//! A step of diffusion, for linear solvers.
use ribbonmesh::device::{Block, In, Out, kernel};

/// `y = x + t L x`, L being the graph's Laplacian: the neighbours of vertex `v` are stored from `offsets[v]`
/// on.
#[kernel(threads = 256)]
pub fn diffuse<'a>(
    block: &Block,
    n: u32,
    t: f32,
    offsets: In<'a, u32>,
    neighbours: In<'a, u32>,
    x: In<'a, f32>,
    y: Out<'a, f32>,
) {
    block.for_each_of_tile(n, |v| {
        let (here, end) = (x.get(v), offsets.get(v + 1));
        let (mut sum, mut k) = (0.0, offsets.get(v));
        while k < end {
            sum += here - x.get(neighbours.get(k));
            k += 1;
        }
        y.set(v, here + t * sum);
    });
}
