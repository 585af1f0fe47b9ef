//! Lloyd's algorithm: each vertex joins the cluster with the nearest centre, among its own and those of its
//! neighbours.
use super::{Grid, NONE, SUMS};
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, kernel};

/// Assigns each vertex to the cluster with the nearest centre, among the clusters of the vertex and of its
/// neighbours; of several at the same distance, to the one with the smallest number. A vertex that has no
/// cluster, and no neighbour in one, stays without. If `only_new` is not 0, vertices that have a cluster keep
/// it. Blocks: tiles.
#[kernel(threads = 256)]
pub fn assign<'a>(
    block: &Block,
    x: In<'a, Vec3>,
    neighbours: GroupsView<'a>,
    centres: In<'a, Vec3>,
    from: In<'a, u32>,
    only_new: u32,
    to: Out<'a, u32>,
) {
    block.for_each_of_tile(to.len() as u32, |v| {
        let own = from.get(v);
        if only_new != 0 && own != NONE {
            return to.set(v, own);
        }
        let p = x.get(v);
        let distance = |cluster: u32| (centres.get(cluster) - p).length_squared();
        let (mut best, mut least) = (own, if own == NONE { f32::INFINITY } else { distance(own) });
        let (mut i, end) = neighbours.range(v);
        let mut last = own;
        while i < end {
            let other = from.get(neighbours.places.get(i));
            i += 1;
            if other == last || other == NONE || other == best {
                continue;
            }
            last = other;
            let d = distance(other);
            if d < least || (d == least && other < best) {
                (best, least) = (other, d);
            }
        }
        to.set(v, best);
    });
}

/// Adds weight, and weight times coordinates, of each vertex to the sums of its cluster. Blocks: tiles.
#[kernel(threads = 256)]
pub fn accumulate<'a>(
    block: &Block,
    x: In<'a, Vec3>,
    weights: In<'a, u64>,
    clusters: In<'a, u32>,
    grid: Grid,
    sums: Out<'a, u64>,
) {
    block.for_each_of_tile(clusters.len() as u32, |v| {
        let cluster = clusters.get(v);
        if cluster == NONE {
            return;
        }
        let (weight, [i, j, k]) = (weights.get(v), grid.steps(x.get(v)));
        for (at, more) in [weight, weight * i, weight * j, weight * k].into_iter().enumerate() {
            atomic::fetch_add(sums, SUMS * cluster + at as u32, more, Relaxed, Device);
        }
    });
}

/// Computes the centre of each cluster from its sums, and sets these to 0. A cluster without vertices keeps
/// its centre. Blocks: tiles.
#[kernel(threads = 256)]
pub fn centres<'a>(block: &Block, sums: Out<'a, u64>, grid: Grid, centres: Out<'a, Vec3>) {
    block.for_each_of_tile(centres.len() as u32, |k| {
        let [weight, i, j, l] = [0, 1, 2, 3].map(|at| sums.get(SUMS * k + at));
        if weight > 0 {
            centres.set(k, grid.point([i, j, l], weight));
            for at in 0..SUMS {
                sums.set(SUMS * k + at, 0);
            }
        }
    });
}

/// Counts the vertices without a cluster into `counts[0]`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_new<'a>(block: &Block, clusters: In<'a, u32>, counts: Out<'a, u32>) {
    block.for_each_tile(clusters.len() as u32, |base, len| {
        let count = block.count_where(len, |i| clusters.get(base + i) == NONE);
        block.single_nosync(|| {
            if count > 0 {
                atomic::fetch_add(counts, 0, count, Relaxed, Device);
            }
        });
    });
}
