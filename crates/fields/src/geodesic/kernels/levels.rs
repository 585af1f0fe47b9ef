//! Topological level sets (thesis 4.5.2): breadth-first search from the sources, a level at a time.
use super::{CHUNK, Ordered, nth, share};
use crate::geodesic::stored::{BREAK, RingView};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::{Arena, Block, Grid, NONE, Out, Quad, Shared, kernel};

/// Number of counters that take turns: one is read while the next is counted and the one after it cleared.
pub const TURNS: u32 = 3;

fn memory(arena: &Arena) -> Shared<'_, u32> {
    arena.take(CHUNK)
}

/// Appends to the list of vertices, from `end` on, those neighbours of the vertices in `begin..end` that were
/// not seen before; `counts[turn]` counts them. Their order differs from run to run.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn expand(
    block: &Block,
    ring: RingView<'_>,
    ordered: Ordered<'_>,
    seen: Out<'_, u32>,
    counts: Out<'_, u32>,
    turn: u32,
    (begin, end): (u32, u32),
    mine: Shared<'_, u32>,
) {
    let n = share(block, end - begin);
    let mut first = 0;
    while first < n {
        let len = if n - first < CHUNK { n - first } else { CHUNK };
        let place = |i: u32| begin + nth(block, first + i);
        // each neighbour is claimed by one of the vertices that see it first, which stores its own index
        // there
        block.for_each(len, |i| {
            let (k, mut claimed) = (place(i), 0);
            each_neighbour(ring, seen, ordered.vertices.get(k), |u, by| {
                if by == NONE && atomic::compare_exchange(seen, u, NONE, k, Relaxed, Scope::Device) == NONE {
                    claimed += 1;
                }
            });
            mine.set(i, claimed);
        });
        let total = block.exclusive_scan(mine, len);
        let base = block.single(|| {
            if total > 0 { atomic::fetch_add(counts, turn, total, Relaxed, Scope::Device) } else { 0 }
        });
        if total > 0 {
            block.for_each_nosync(len, |i| {
                let (k, mut at) = (place(i), end + base + mine.get(i));
                let vertex = ordered.vertices.get(k);
                each_neighbour(ring, seen, vertex, |u, by| {
                    // append it only once, although a row may have it twice
                    if by == k && atomic::load(seen, u, Relaxed, Scope::Device) == k {
                        atomic::store(seen, u, k | BREAK, Relaxed, Scope::Device);
                        let row = ring.rows.get(u);
                        ordered.vertices.set(at, Quad([u, row as u32, (row >> 32) as u32, vertex.0[3] + 1]));
                        at += 1;
                    }
                });
            });
        }
        first += CHUNK;
    }
}
#[inline(always)]
fn each_neighbour(ring: RingView<'_>, seen: Out<'_, u32>, vertex: Quad, mut f: impl FnMut(u32, u32)) {
    let [_, first, quads, _] = vertex.0;
    let load = |u: u32| atomic::load(seen, u, Relaxed, Scope::Device);
    ring.each(first, quads, load, |entry, seen| f(entry & !BREAK, seen));
}

/// Runs all levels in one resident launch. `limits` has the first level's limits. `result` gets the number of
/// levels.
#[kernel(threads = 256, shared = memory(arena))]
pub fn level_sets<'a>(
    block: &Block,
    grid: Grid,
    ring: RingView<'a>,
    ordered: Ordered<'a>,
    seen: Out<'a, u32>,
    counts: Out<'a, u32>,
    result: Out<'a, u32>,
) {
    let mine = memory(block.arena());
    let (mut begin, mut end, mut level) = (0, ordered.limits.get(1), 0);
    // ends: each level has at least one vertex of no earlier level
    while begin < end {
        expand(block, ring, ordered, seen, counts, level % TURNS, (begin, end), mine);
        if block.index() == 0 {
            block.single_nosync(|| {
                atomic::store(counts, (level + 1) % TURNS, 0, Relaxed, Scope::Device);
            });
        }
        // all blocks have appended their vertices before any block reads the count and the list
        block.grid_sync(grid);
        let found = counts.get(level % TURNS);
        (begin, end, level) = (end, end + found, level + 1);
        if block.index() == 0 {
            block.single_nosync(|| ordered.limits.set(level + 1, end));
        }
    }
    if block.index() == 0 {
        block.single_nosync(|| result.set(0, level));
    }
}

/// Expands the level of `begin..end`.
#[kernel(threads = 256, shared = memory(arena))]
pub fn expand_level<'a>(
    block: &Block,
    ring: RingView<'a>,
    ordered: Ordered<'a>,
    seen: Out<'a, u32>,
    counts: Out<'a, u32>,
    begin: u32,
    end: u32,
) {
    expand(block, ring, ordered, seen, counts, 0, (begin, end), memory(block.arena()));
}
