//! Selection of the edges that a pass may collapse: the cheapest, as many as it has room for.
use super::values::NEVER;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Arena, Block, Edge, EdgeId, Grid, Out, Parameter, Shared, Values, kernel};
use ribbonmesh::dynamic::ReportWords;

/// Word of the selection: sides of living faces.
pub const SIDES: u32 = 0;
/// Word of the selection: living faces.
pub const FACES: u32 = 1;
/// Word of the selection: number of edges that may be selected.
pub const ROOM: u32 = 2;
/// Word of the selection: number of edges that are selected.
pub const SELECTED: u32 = 3;
/// Two words of the selection: the limit; edges whose key is below it are selected.
pub const LIMIT: u32 = 4;
const DONE: u32 = 6;
const FINISHED: u32 = 7;
/// Words before the counts.
const HEAD: u32 = 16;

/// Levels of narrowing down: three for each of the two words of a key.
pub const LEVELS: u32 = 6;
const BINS: u32 = 2048;
/// Number of words of a selection.
pub const WORDS: u32 = HEAD + LEVELS * BINS;

/// Least share of the room that a selection has to use to be good enough, in eighths.
const ENOUGH: u32 = 7;

/// The second word of an edge's key, different for each edge: the order of edges of equal cost.
#[inline(always)]
pub fn chance(e: EdgeId) -> u32 {
    e.index().wrapping_mul(0x9E37_79B1)
}

/// Limits of the number of edges that may be collapsed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Room {
    /// Faces that are wanted.
    pub target: u32,
    /// Greatest share of the faces that one pass collapses as edges, in 1024ths.
    pub share: u32,
}

#[inline(always)]
fn bins(arena: &Arena) -> Shared<'_, u32> {
    arena.take(BINS)
}

/// First bit of the digit of a level in its word, and number of its bits.
#[inline(always)]
fn digit(level: u32) -> (u32, u32) {
    match level % 3 {
        0 => (21, 11),
        1 => (10, 11),
        _ => (0, 10),
    }
}

/// Narrows down which of `n` edges are selected, from the first of `levels` to before the last. The key of an
/// edge is its cost and [`chance`]. Each level counts the next digit of the keys that agree with the limit
/// found so far; then the last block moves the limit past as many digits as there is room for. The search
/// ends when nearly all room is used, which takes two levels unless many edges cost the same. Living faces
/// and selected edges are counted in the first two words of the report.
///
/// Edges are selected while collapsing all of them, two faces each, leaves no fewer faces than wanted; at
/// least one edge is selected if there are more faces. So the result has as many faces as wanted, or one
/// less. A level reads 4 bytes per edge. Several levels in one launch need resident blocks, since they wait
/// for each other between levels.
#[kernel(threads = 256, shared = bins(arena))]
pub fn narrow<'a>(
    block: &Block,
    grid: Grid,
    levels: [u32; 2],
    cost: Values<'a, Edge, u32>,
    n: u32,
    room: Room,
    selection: Out<'a, u32>,
    report: ReportWords<'a>,
) {
    let counts = bins(block.arena());
    let [mut level, end] = levels;
    while selection.get(DONE) == 0 {
        narrow_level(block, counts, cost, n, level, room, selection, report);
        level += 1;
        if level == end {
            return;
        }
        // the last block has moved the limit, or ended the search, before any block begins the next level
        block.grid_sync(grid);
    }
}

#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn narrow_level(
    block: &Block,
    counts: Shared<'_, u32>,
    cost: Values<'_, Edge, u32>,
    n: u32,
    level: u32,
    room: Room,
    selection: Out<'_, u32>,
    report: ReportWords<'_>,
) {
    let (shift, bits) = digit(level);
    let (most, first) = (1 << bits, HEAD + BINS * level);
    let limit = [selection.get(LIMIT), selection.get(LIMIT + 1)];
    block.for_each(most, |d| counts.set(d, 0));
    block.for_each_tile(n, |base, len| {
        block.for_each_nosync(len, |i| {
            let e = EdgeId::new(base + i);
            let cost = cost.get(e);
            if cost >= NEVER {
                return;
            }
            let word = if level < 3 { cost } else { chance(e) };
            let same = |word: u32, limit: u32, shift: u32| shift == 32 || word >> shift == limit >> shift;
            let agrees = if level < 3 {
                same(word, limit[0], shift + bits)
            } else {
                cost == limit[0] && same(word, limit[1], shift + bits)
            };
            if agrees {
                counts.fetch_add(word >> shift & (most - 1), 1);
            }
        });
    });
    // all threads have counted before the block's counts are added to those of the device
    block.sync();
    block.for_each(most, |d| {
        let count = counts.get(d);
        if count > 0 {
            atomic::fetch_add(selection, first + d, count, Order::Relaxed, Scope::Device);
        }
    });
    if !block.comes_last(selection, FINISHED) {
        return;
    }
    block.for_each(most, |d| {
        counts.set(d, atomic::load(selection, first + d, Order::Relaxed, Scope::Device));
    });
    let total = block.exclusive_scan(counts, most);
    block.single_nosync(|| {
        move_limit(selection, counts, total, level, room, limit);
        report.set(0, selection.get(FACES));
        report.set(1, selection.get(SELECTED));
    });
}

/// Moves the limit past the digits for which there is room.
#[inline(always)]
fn move_limit(
    selection: Out<'_, u32>,
    counts: Shared<'_, u32>,
    total: u32,
    level: u32,
    room: Room,
    mut limit: [u32; 2],
) {
    if level == 0 {
        let faces = selection.get(SIDES) / 3;
        let more = if faces > room.target { (faces - room.target).div_ceil(2) } else { 0 };
        let share = (faces as u64 * room.share as u64 / 1024) as u32;
        let share = if share > 0 { share } else { 1 };
        selection.set(FACES, faces);
        selection.set(ROOM, if more < share { more } else { share });
    }
    let (shift, bits) = digit(level);
    let most = 1 << bits;
    let (room, below) = (selection.get(ROOM), selection.get(SELECTED));
    let mut done = level + 1 == LEVELS;
    if level == 0 && total <= room {
        limit = [NEVER, 0];
        selection.set(SELECTED, total);
        done = true;
    } else {
        // the last digit before which there are no more keys than there is room for
        let (mut low, mut high) = (0, most);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if below + counts.get(middle) <= room {
                low = middle;
            } else {
                high = middle;
            }
        }
        if level < 3 {
            limit[0] |= low << shift;
        } else {
            limit[1] |= low << shift;
        }
        let selected = below + counts.get(low);
        selection.set(SELECTED, selected);
        done |= room == 0 || selected > 0 && selected >= room * ENOUGH / 8;
    }
    selection.set(LIMIT, limit[0]);
    selection.set(LIMIT + 1, limit[1]);
    selection.set(DONE, done as u32);
}

/// Whether an edge is selected.
#[inline(always)]
pub fn selected(selection: Out<'_, u32>, e: EdgeId, cost: u32) -> bool {
    let limit = selection.get(LIMIT);
    cost < NEVER && (cost < limit || cost == limit && chance(e) < selection.get(LIMIT + 1))
}
