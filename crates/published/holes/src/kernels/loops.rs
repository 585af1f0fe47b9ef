//! Identification of holes by labels that spread along the boundary (3.6).
use crate::kernels::sides::Sheet;
use ribbonmesh::corners::before;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, Grid, In, Out, kernel};

/// Steps between two looks whether labels have changed.
const STEPS: u32 = 10;

/// The part of `n` elements that a block of a resident launch has: the first, and their number.
#[inline(always)]
pub fn part(block: &Block, n: u32) -> (u32, u32) {
    let each = n.div_ceil(block.count());
    let first = (each * block.index()).min(n);
    (first, each.min(n - first))
}

/// Begins labels: each vertex of the boundary has its own number. `back`: for each of them the one before it
/// along the boundary, since the faces that fill a hole run against the sides around it.
#[kernel(threads = 256)]
pub fn begin_labels<'a>(
    k: Each,
    open: In<'a, u32>,
    sheet: Sheet<'a>,
    back: Out<'a, u32>,
    labels: Out<'a, u32>,
) {
    let [from, to] = sheet.ends(open.get(k));
    back.set(to, from);
    labels.set(from, from);
}
/// Gives both ends of each side of the boundary the label of their least label, until nothing changes. Then
/// each vertex has the least vertex of its loop: labels never exceed their vertices, so that no change means
/// equal ends. Looks every ten steps, as the paper; ends after a step for each side at the latest, since the
/// least label gets one vertex farther in each.
#[kernel(threads = 256)]
pub fn spread_labels<'a>(
    block: &Block,
    grid: Grid,
    open: In<'a, u32>,
    sheet: Sheet<'a>,
    labels: Out<'a, u32>,
    changes: Out<'a, u32>,
) {
    let n = open.len() as u32;
    let (first, mine) = part(block, n);
    let (mut seen, mut round) = (0, 0);
    while round <= n / STEPS + 1 {
        let mut step = 0;
        while step < STEPS {
            block.for_each_nosync(mine, |k| {
                let ends = sheet.ends(open.get(first + k));
                let label = |v: u32| atomic::load(labels, v, Relaxed, Device);
                let least = label(label(ends[0]).min(label(ends[1])));
                for v in ends {
                    let old = atomic::fetch_min(labels, v, least, Relaxed, Device);
                    if old > least && step + 1 == STEPS {
                        atomic::store(changes, 0, round + 1, Relaxed, Device);
                    }
                }
            });
            block.grid_sync(grid);
            step += 1;
        }
        let last = block.single(|| atomic::load(changes, 0, Relaxed, Device));
        if last == seen {
            return;
        }
        seen = last;
        round += 1;
    }
}
/// Counts the vertices of each loop, at its least vertex.
#[kernel(threads = 256)]
pub fn count_loops<'a>(
    k: Each,
    open: In<'a, u32>,
    sheet: Sheet<'a>,
    labels: In<'a, u32>,
    sizes: Out<'a, u32>,
) {
    let [from, _] = sheet.ends(open.get(k));
    atomic::fetch_add(sizes, labels.get(from), 1, Relaxed, Device);
}
/// Flags the side at the least vertex of each loop: of loops of three edges, and of longer ones.
#[kernel(threads = 256)]
pub fn flag_loops<'a>(
    k: Each,
    open: In<'a, u32>,
    sheet: Sheet<'a>,
    labels: In<'a, u32>,
    sizes: In<'a, u32>,
    three: Out<'a, u32>,
    longer: Out<'a, u32>,
) {
    let [from, _] = sheet.ends(open.get(k));
    let size = if labels.get(from) == from { sizes.get(from) } else { 0 };
    three.set(k, (size == 3) as u32);
    longer.set(k, (size > 3) as u32);
}
/// Closes loops of three edges: deletes the face if it is alone, else adds one and flags it.
#[kernel(threads = 128)]
pub fn close_three<'a>(
    i: Each,
    list: In<'a, u32>,
    open: In<'a, u32>,
    faces: In<'a, u32>,
    back: In<'a, u32>,
    alive: Out<'a, u32>,
    closing: Out<'a, [u32; 3]>,
    flags: Out<'a, u32>,
) {
    let side = open.get(list.get(i));
    let a = faces.get(side);
    let b = back.get(a);
    // a side has one direction only, so a face with these corners has all three sides
    let alone = faces.get(before(side)) == b;
    if alone {
        alive.set(side / 3, 0);
    }
    closing.set(i, [a, b, back.get(b)]);
    flags.set(i, !alone as u32);
}
/// Begins the lists of holes: the first vertex of each, and its number of vertices.
#[kernel(threads = 128)]
pub fn begin_holes<'a>(
    hole: Each,
    list: In<'a, u32>,
    open: In<'a, u32>,
    faces: In<'a, u32>,
    sizes: In<'a, u32>,
    seeds: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    let seed = faces.get(open.get(list.get(hole)));
    seeds.set(hole, seed);
    counts.set(hole, sizes.get(seed));
}
/// Lists the vertices of each hole, from its first one on, as the faces that fill it run. One thread for each
/// hole, as in the paper.
#[kernel(threads = 32)]
pub fn walk_holes<'a>(
    hole: Each,
    seeds: In<'a, u32>,
    starts: In<'a, u32>,
    back: In<'a, u32>,
    order: Out<'a, u32>,
    holes: Out<'a, u32>,
    places: Out<'a, u32>,
) {
    let (mut v, mut at, end) = (seeds.get(hole), starts.get(hole), starts.get(hole + 1));
    while at < end {
        order.set(at, v);
        holes.set(at, hole);
        places.set(v, at);
        v = back.get(v);
        at += 1;
    }
}
