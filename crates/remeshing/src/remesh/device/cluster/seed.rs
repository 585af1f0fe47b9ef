//! Weights of vertices, neighbours, and the first vertex of each cluster.
use glam::Vec3;
use ribbonmesh::corners::after;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, kernel};

/// Computes the area of each face. Blocks: tiles.
#[kernel(threads = 256)]
pub fn areas<'a>(block: &Block, x: In<'a, Vec3>, faces: In<'a, [u32; 3]>, scale: f32, areas: Out<'a, f32>) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let [a, b, c] = faces.get(f).map(|v| x.get(v));
        let n = ((b - a) * scale).cross((c - a) * scale);
        areas.set(f, 0.5 * sqrt(n.dot(n)));
    });
}

/// Sets the areas of faces without a side longer than `length` to 0. Blocks: tiles.
#[kernel(threads = 256)]
pub fn keep_long<'a>(
    block: &Block,
    x: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    scale: f32,
    length: f32,
    areas: Out<'a, f32>,
) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let [a, b, c] = faces.get(f).map(|v| x.get(v));
        let longer = |side: Vec3| (side * scale).length_squared() > length * length;
        if !(longer(b - a) || longer(c - b) || longer(a - c)) {
            areas.set(f, 0.0);
        }
    });
}

/// Adds a third of the area of each face, in units of `1 / unit`, to the weights of its vertices, at least 1.
/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn weigh<'a>(
    block: &Block,
    areas: In<'a, f32>,
    faces: In<'a, [u32; 3]>,
    unit: f64,
    weights: Out<'a, u64>,
) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let third = (areas.get(f) as f64 * unit / 3.0) as u64 + 1;
        for v in faces.get(f) {
            atomic::fetch_add(weights, v, third, Relaxed, Device);
        }
    });
}

/// Stores the vertex after each of these corners in its face: a neighbour of the corner's vertex. Blocks:
/// tiles.
#[kernel(threads = 256)]
pub fn neighbours<'a>(block: &Block, vertices: In<'a, u32>, corners: In<'a, u32>, to: Out<'a, u32>) {
    block.for_each_of_tile(to.len() as u32, |i| to.set(i, vertices.get(after(corners.get(i)))));
}

/// Reduces weights to 32 bits, so that their sum fits. Blocks: tiles.
#[kernel(threads = 256)]
pub fn shorten_weights<'a>(block: &Block, weights: In<'a, u64>, shift: u32, to: Out<'a, u32>) {
    block.for_each_of_tile(to.len() as u32, |v| to.set(v, (weights.get(v) >> shift) as u32 + 1));
}

/// Flags the vertices at which one of `clusters` equal parts of the total weight ends. `sums`: the prefix
/// sums, up to and including each vertex. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_seeds<'a>(block: &Block, sums: In<'a, u32>, total: u32, clusters: u32, flags: Out<'a, u32>) {
    block.for_each_of_tile(flags.len() as u32, |v| {
        let part = |sum: u32| sum as u64 * clusters as u64 / total as u64;
        let before = if v == 0 { 0 } else { sums.get(v - 1) };
        flags.set(v, (part(sums.get(v)) > part(before)) as u32);
    });
}

/// Begins a cluster at each seed. Blocks: tiles.
#[kernel(threads = 256)]
pub fn plant<'a>(
    block: &Block,
    seeds: In<'a, u32>,
    x: In<'a, Vec3>,
    clusters: Out<'a, u32>,
    centres: Out<'a, Vec3>,
) {
    block.for_each_of_tile(seeds.len() as u32, |k| {
        clusters.set(seeds.get(k), k);
        centres.set(k, x.get(seeds.get(k)));
    });
}
