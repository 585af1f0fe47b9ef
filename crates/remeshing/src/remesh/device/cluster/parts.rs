//! The connected parts of clusters, by neighbours of the same cluster. A part is named by its smallest
//! vertex.
use super::NONE;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};
use ribbonmesh::sets::{flatten, unite};

/// Makes each vertex a part of its own. Blocks: tiles.
#[kernel(threads = 256)]
pub fn alone<'a>(block: &Block, parents: Out<'a, u32>) {
    block.for_each_of_tile(parents.len() as u32, |v| parents.set(v, v));
}

/// Clusters of which parts are looked at: all if `marks` is empty; otherwise those that it marks, and those
/// with numbers that it has no entry for.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Looked<'a> {
    /// Not 0 for each cluster that is looked at.
    pub marks: In<'a, u32>,
}
impl Looked<'_> {
    /// Whether a cluster is looked at.
    #[inline(always)]
    fn has(&self, cluster: u32) -> bool {
        cluster as usize >= self.marks.len() || self.marks.get(cluster) != 0
    }
}

/// Unites each vertex with its neighbours of the same cluster. Blocks: tiles.
#[kernel(threads = 256)]
pub fn unite_clusters<'a>(
    block: &Block,
    neighbours: GroupsView<'a>,
    clusters: In<'a, u32>,
    looked: Looked<'a>,
    parents: Out<'a, u32>,
) {
    block.for_each_of_tile(clusters.len() as u32, |v| {
        let own = clusters.get(v);
        if !looked.has(own) {
            return;
        }
        let (mut i, end) = neighbours.range(v);
        while i < end {
            let u = neighbours.places.get(i);
            if clusters.get(u) == own {
                unite(parents, v, u);
            }
            i += 1;
        }
    });
}

/// Stores the part of each vertex. Blocks: tiles.
#[kernel(threads = 256)]
pub fn name_parts<'a>(block: &Block, parents: Out<'a, u32>) {
    block.for_each_of_tile(parents.len() as u32, |v| flatten(parents, v));
}

/// Adds the weight of each vertex to that of its part. Blocks: tiles.
#[kernel(threads = 256)]
pub fn weigh_parts<'a>(block: &Block, parts: In<'a, u32>, weights: In<'a, u64>, sums: Out<'a, u64>) {
    block.for_each_of_tile(parts.len() as u32, |v| {
        atomic::fetch_add(sums, parts.get(v), weights.get(v), Relaxed, Device);
    });
}

/// Finds the weight of each cluster's heaviest part. Blocks: tiles.
#[kernel(threads = 256)]
pub fn heaviest<'a>(
    block: &Block,
    parts: In<'a, u32>,
    clusters: In<'a, u32>,
    sums: In<'a, u64>,
    most: Out<'a, u64>,
) {
    block.for_each_of_tile(parts.len() as u32, |v| {
        if parts.get(v) == v && clusters.get(v) != NONE {
            atomic::fetch_max(most, clusters.get(v), sums.get(v), Relaxed, Device);
        }
    });
}

/// Chooses the heaviest part of each cluster; of several with the same weight, the one with the smallest
/// number. `chosen` begins as `NONE`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn choose<'a>(
    block: &Block,
    parts: In<'a, u32>,
    clusters: In<'a, u32>,
    sums: In<'a, u64>,
    most: In<'a, u64>,
    chosen: Out<'a, u32>,
) {
    block.for_each_of_tile(parts.len() as u32, |v| {
        let cluster = clusters.get(v);
        if parts.get(v) == v && cluster != NONE && sums.get(v) == most.get(cluster) {
            atomic::fetch_min(chosen, cluster, v, Relaxed, Device);
        }
    });
}

/// Removes vertices of other parts than the chosen one from their clusters. Blocks: tiles.
#[kernel(threads = 256)]
pub fn drop_others<'a>(
    block: &Block,
    parts: In<'a, u32>,
    looked: Looked<'a>,
    chosen: In<'a, u32>,
    clusters: Out<'a, u32>,
) {
    block.for_each_of_tile(parts.len() as u32, |v| {
        let cluster = clusters.get(v);
        if cluster != NONE && looked.has(cluster) && chosen.get(cluster) != parts.get(v) {
            clusters.set(v, NONE);
        }
    });
}

/// Flags the clusters that have vertices; `flags` begin as 0. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_members<'a>(block: &Block, clusters: In<'a, u32>, flags: Out<'a, u32>) {
    block.for_each_of_tile(clusters.len() as u32, |v| {
        // many threads write the same value
        atomic::store(flags, clusters.get(v), 1, Relaxed, Device);
    });
}

/// Gives clusters other numbers. Blocks: tiles.
#[kernel(threads = 256)]
pub fn renumber_clusters<'a>(block: &Block, numbers: In<'a, u32>, clusters: Out<'a, u32>) {
    block.for_each_of_tile(clusters.len() as u32, |v| clusters.set(v, numbers.get(clusters.get(v))));
}

/// Removes vertices from the clusters with numbers from `count` on. Blocks: tiles.
#[kernel(threads = 256)]
pub fn drop_from<'a>(block: &Block, count: u32, clusters: Out<'a, u32>) {
    block.for_each_of_tile(clusters.len() as u32, |v| {
        if clusters.get(v) >= count {
            clusters.set(v, NONE);
        }
    });
}

/// Flags the first vertex of each part without a cluster. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_new<'a>(block: &Block, parts: In<'a, u32>, clusters: In<'a, u32>, flags: Out<'a, u32>) {
    block.for_each_of_tile(parts.len() as u32, |v| {
        flags.set(v, (parts.get(v) == v && clusters.get(v) == NONE) as u32);
    });
}

/// Makes a cluster of each part without one; its number is `first` plus the number of such parts before it,
/// `numbers`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn name_new<'a>(
    block: &Block,
    parts: In<'a, u32>,
    numbers: In<'a, u32>,
    first: u32,
    clusters: Out<'a, u32>,
) {
    block.for_each_of_tile(parts.len() as u32, |v| {
        if clusters.get(v) == NONE {
            clusters.set(v, first + numbers.get(parts.get(v)));
        }
    });
}
