//! Fans of faces around the vertices of the dual mesh, and clusters that are divided.
use super::{Grid, NONE, SUMS};
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::corners::after;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh::sets::unite;

/// Joins the corners of two faces at the ends of the edge that they share: the joined corners are a fan of
/// faces around a vertex. Blocks: tiles.
#[kernel(threads = 256)]
pub fn join_fans<'a>(block: &Block, twins: In<'a, u32>, parents: Out<'a, u32>) {
    block.for_each_of_tile(twins.len() as u32, |c| {
        let d = twins.get(c);
        if d != NONE && d > c {
            unite(parents, c, after(d));
            unite(parents, after(c), d);
        }
    });
}
/// Counts the fans of each cluster, and finds the smallest corner that names one; `first` begins as `NONE`.
/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_fans<'a>(
    block: &Block,
    vertices: In<'a, u32>,
    fans: In<'a, u32>,
    counts: Out<'a, u32>,
    first: Out<'a, u32>,
) {
    block.for_each_of_tile(fans.len() as u32, |c| {
        let k = vertices.get(c);
        if fans.get(c) == c {
            atomic::fetch_add(counts, k, 1, Relaxed, Device);
            atomic::fetch_min(first, k, c, Relaxed, Device);
        }
    });
}
/// Flags the corners that name further fans of their clusters. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_fans<'a>(
    block: &Block,
    vertices: In<'a, u32>,
    fans: In<'a, u32>,
    first: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    block.for_each_of_tile(fans.len() as u32, |c| {
        let k = vertices.get(c);
        let further = fans.get(c) == c && first.get(k) != c;
        flags.set(c, further as u32);
    });
}
/// Gives each further fan a vertex of its own, numbered after the clusters in the order of the fans.
/// `sources[number]` becomes its cluster. Blocks: tiles.
#[kernel(threads = 256)]
pub fn split_fans<'a>(
    block: &Block,
    fans: In<'a, u32>,
    first: In<'a, u32>,
    numbers: In<'a, u32>,
    vertices: Out<'a, u32>,
    sources: Out<'a, u32>,
) {
    let count = first.len() as u32;
    block.for_each_of_tile(vertices.len() as u32, |c| {
        let (k, fan) = (vertices.get(c), fans.get(c));
        if first.get(k) != fan {
            let number = numbers.get(fan);
            vertices.set(c, count + number);
            // all corners of the fan write the same value
            atomic::store(sources, number, k, Relaxed, Device);
        }
    });
}
/// Computes the cluster of each vertex: the first `own` vertices are the clusters themselves, `further` has
/// the clusters of the others. Blocks: tiles.
#[kernel(threads = 256)]
pub fn clusters_of<'a>(block: &Block, further: In<'a, u32>, own: u32, clusters: Out<'a, u32>) {
    block.for_each_of_tile(clusters.len() as u32, |v| {
        clusters.set(v, if v < own { v } else { further.get(v - own) });
    });
}
/// Adds, for each corner of a split cluster, the positions of the other two vertices of its face to the sums
/// of the corner's vertex, which is a vertex of `counts` or one after them. Blocks: tiles.
#[kernel(threads = 256)]
pub fn sum_around<'a>(
    block: &Block,
    vertices: In<'a, u32>,
    counts: In<'a, u32>,
    positions: In<'a, Vec3>,
    grid: Grid,
    sums: Out<'a, u64>,
) {
    block.for_each_of_tile(vertices.len() as u32, |c| {
        let v = vertices.get(c);
        if v < counts.len() as u32 && counts.get(v) < 2 {
            return;
        }
        for other in [after(c), after(after(c))].map(|c| vertices.get(c)) {
            let [i, j, k] = grid.steps(positions.get(other));
            for (at, more) in [1, i, j, k].into_iter().enumerate() {
                atomic::fetch_add(sums, SUMS * v + at as u32, more, Relaxed, Device);
            }
        }
    });
}

/// Marks the clusters of edges whose faces, found by their vertices, differ from the twins, and the clusters
/// of two faces with the same vertices. `ring`: the next corner of the same edge, of the faces with a vertex
/// for each fan; `clusters`: the cluster of each vertex. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_dual_edges<'a>(
    block: &Block,
    vertices: In<'a, u32>,
    ring: In<'a, u32>,
    twins: In<'a, u32>,
    clusters: In<'a, u32>,
    marks: Out<'a, u32>,
) {
    let mark = |c: u32| atomic::store(marks, clusters.get(vertices.get(c)), 1, Relaxed, Device);
    block.for_each_of_tile(ring.len() as u32, |c| {
        let (d, twin) = (ring.get(c), twins.get(c));
        let third = |c: u32| vertices.get(after(after(c)));
        let as_it_should = if twin == NONE { d == c } else { d == twin && ring.get(d) == c };
        let twice = twin != NONE && third(c) == third(twin);
        if !as_it_should || twice {
            mark(c);
            mark(after(c));
            if twice {
                mark(after(after(c)));
            }
        }
    });
}

/// Marks the clusters of faces that intersect others, apart from clusters of a single vertex, which cannot be
/// divided. `intersects`: 1 for each such face of the dual mesh. Blocks: tiles of the corners.
#[kernel(threads = 256)]
pub fn mark_crossing<'a>(
    block: &Block,
    vertices: In<'a, u32>,
    intersects: In<'a, u32>,
    clusters: In<'a, u32>,
    members: GroupsView<'a>,
    marks: Out<'a, u32>,
) {
    block.for_each_of_tile(vertices.len() as u32, |c| {
        if intersects.get(c / 3) == 0 {
            return;
        }
        let k = clusters.get(vertices.get(c));
        let (first, end) = members.range(k);
        if end - first > 1 {
            // many threads write the same value
            atomic::store(marks, k, 1, Relaxed, Device);
        }
    });
}

/// Divides marked clusters: their vertices, in the order of their ids, into `parts` runs of about the same
/// length. The first run keeps the cluster; the others get clusters of their own, whose numbers start at
/// `marks.len()` and are not contiguous. What is known of divided clusters is forgotten: `cuts` becomes 0.
/// Blocks: tiles of the clusters.
#[kernel(threads = 256)]
pub fn divide<'a>(
    block: &Block,
    members: GroupsView<'a>,
    marks: In<'a, u32>,
    parts: u32,
    clusters: Out<'a, u32>,
    cuts: Out<'a, u32>,
) {
    let count = marks.len() as u32;
    block.for_each_of_tile(count, |k| {
        if marks.get(k) == 0 {
            return;
        }
        cuts.set(k, 0);
        let (first, end) = members.range(k);
        let (mut i, mut begin, mut last) = (first, first, 0);
        while i < end {
            let run = ((i - first) as u64 * parts as u64 / (end - first) as u64) as u32;
            if run != last {
                (begin, last) = (i, run);
            }
            if run > 0 {
                clusters.set(members.places.get(i), count + begin);
            }
            i += 1;
        }
    });
}
