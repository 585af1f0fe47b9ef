//! Samples of a surface, and how far points are from another.
use super::query::POINTS;
use crate::bvh::random::unit;
use crate::bvh::view::BvhView;
use crate::device::{Block, In, Out, Vec3, kernel};

/// `n` random points of a surface, uniform by area and stratified: point `k` lies in the `k`-th of `n` parts
/// of equal area, in the order of the tree. `areas[i]` is the area of the first `i + 1` triangles of the
/// tree.
#[kernel(threads = 256)]
pub fn sample_surface<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    areas: In<'a, f64>,
    seed: u64,
    n: u32,
    points: Out<'a, Vec3>,
) {
    let last = areas.len() as u32 - 1;
    let all = areas.get(last);
    block.for_each_of_tile(n, |k| {
        let area = (k as f64 + unit(seed, k, 0) as f64) / n as f64 * all;
        // the first triangle that ends after it
        let (mut from, mut to) = (0, last);
        while from < to {
            let middle = from + (to - from) / 2;
            if areas.get(middle) > area {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        let (u, v) = (unit(seed, k, 1), unit(seed, k, 2));
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        points.set(k, bvh.point_of(from, [u, v]));
    });
}

/// Measures the distances of `points` from a surface. One block per [`POINTS`]: `sums` gets for each the sums
/// of distances and of their squares, `farthest` the largest distance (bits, in the high half) and the first
/// point that has it (complemented).
#[kernel(threads = 128, shared = arena.take::<f32>(POINTS))]
pub fn measure_points<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    points: In<'a, Vec3>,
    sums: Out<'a, [f64; 2]>,
    farthest: Out<'a, u64>,
) {
    let distances = block.shared::<f32>(POINTS);
    let (n, base) = (points.len() as u32, POINTS * block.index());
    let len = if n - base < POINTS { n - base } else { POINTS };
    // each of the loops has its own iterations' distances only
    block.for_each_nosync(len, |i| distances.set(i, bvh.distance(points.get(base + i))));
    let distance = |i: u32| distances.get(i) as f64;
    let sum = block.reduce(len, 0.0, distance, |a, b| a + b);
    let squares = block.reduce(len, 0.0, |i| distance(i) * distance(i), |a, b| a + b);
    let key = |i: u32| (distances.get(i).to_bits() as u64) << 32 | !(base + i) as u64;
    let most = block.reduce(len, 0, key, |a: u64, b| if a < b { b } else { a });
    block.single_nosync(|| {
        sums.set(block.index(), [sum, squares]);
        farthest.set(block.index(), most);
    });
}
