//! Choice of the pairs that a round contracts: the cheapest ones, no two of which have neighbouring ends.
use super::around;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, Quad, kernel};

/// Puts the edges before the other pairs. Blocks: tiles.
#[kernel(threads = 256)]
pub fn list_edges<'a>(block: &Block, ends: In<'a, [u32; 2]>, pairs: Out<'a, [u32; 2]>) {
    block.for_each_of_tile(ends.len() as u32, |e| pairs.set(e, ends.get(e)));
}

/// Finds the least rank of a pair at each vertex, of the first `count` pairs by their `order`. `least` begins
/// as `NONE`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn claim_ends<'a>(
    block: &Block,
    pairs: In<'a, [u32; 2]>,
    order: In<'a, u32>,
    count: u32,
    least: Out<'a, u32>,
) {
    block.for_each_of_tile(count, |rank| {
        for v in pairs.get(order.get(rank)) {
            atomic::fetch_min(least, v, rank, Relaxed, Device);
        }
    });
}

/// Finds the least rank at each vertex and its neighbours. Blocks: tiles.
#[kernel(threads = 256)]
pub fn spread_ranks<'a>(
    block: &Block,
    faces: In<'a, u32>,
    corners: GroupsView<'a>,
    least: In<'a, u32>,
    near: Out<'a, u32>,
) {
    block.for_each_of_tile(near.len() as u32, |v| {
        let mut rank = least.get(v);
        let (mut i, end) = (corners.starts.get(v), corners.starts.get(v + 1));
        while i < end {
            let face = around(corners.places.get(i), |c| faces.get(c));
            rank = rank.min(least.get(face.u)).min(least.get(face.w));
            i += 1;
        }
        near.set(v, rank);
    });
}

/// Flags the pairs, by rank, that come first around both of their ends. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_winners<'a>(
    block: &Block,
    pairs: In<'a, [u32; 2]>,
    order: In<'a, u32>,
    near: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    block.for_each_of_tile(flags.len() as u32, |rank| {
        let [a, b] = pairs.get(order.get(rank));
        flags.set(rank, (near.get(a) == rank && near.get(b) == rank) as u32);
    });
}

/// Lists the number of faces that each winner removes. Blocks: tiles.
#[kernel(threads = 256)]
pub fn list_losses<'a>(
    block: &Block,
    winners: In<'a, u32>,
    order: In<'a, u32>,
    places: In<'a, Quad>,
    losses: Out<'a, u32>,
) {
    block.for_each_of_tile(winners.len() as u32, |i| {
        let Quad([.., lost]) = places.get(order.get(winners.get(i)));
        losses.set(i, lost);
    });
}

/// Flags the vertices of faces that are kept; `used` begins as 0. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_used<'a>(block: &Block, kept: In<'a, u32>, faces: In<'a, [u32; 3]>, used: Out<'a, u32>) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        if kept.get(f) != 0 {
            for v in faces.get(f) {
                // many threads write the same value
                atomic::store(used, v, 1, Relaxed, Device);
            }
        }
    });
}

/// Flags the vertices without faces. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_alone<'a>(block: &Block, used: In<'a, u32>, alone: Out<'a, u32>) {
    block.for_each_of_tile(used.len() as u32, |v| alone.set(v, (used.get(v) == 0) as u32));
}
/// Flags in `used` also the vertices of `alone`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn keep_alone<'a>(block: &Block, alone: In<'a, u32>, used: Out<'a, u32>) {
    block.for_each_of_tile(alone.len() as u32, |v| {
        if alone.get(v) != 0 {
            used.set(v, 1);
        }
    });
}

/// Renumbers the vertices of the faces of a list. Blocks: tiles.
#[kernel(threads = 256)]
pub fn renumber_faces<'a>(
    block: &Block,
    list: In<'a, u32>,
    faces: In<'a, [u32; 3]>,
    numbers: In<'a, u32>,
    to: Out<'a, [u32; 3]>,
) {
    block.for_each_of_tile(list.len() as u32, |i| {
        to.set(i, faces.get(list.get(i)).map(|v| numbers.get(v)));
    });
}
