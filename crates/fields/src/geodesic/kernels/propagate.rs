//! Propagation by levels: the vertices of a window of levels are updated at the same time, until nothing
//! changes.
use super::levels::TURNS;
use super::window::{Bounds, NOTHING, Window, bounds_of, together};
use super::{NOT_SETTLED, SIGN, nth, place, share};
use crate::geodesic::stored::{BREAK, RingView};
use crate::geodesic::update::{Corner, across, along, may_shorten};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::{Block, Grid, In, Out, Parameter, Quad, Vec3, kernel};

/// The sign bit of a distance: it changed in the iteration that wrote it.
const CHANGED: u32 = SIGN;

/// Data of all iterations.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Front<'a> {
    /// Neighbours.
    pub ring: RingView<'a>,
    /// As [`Ordered::vertices`](super::Ordered::vertices).
    pub vertices: In<'a, Quad>,
    /// As [`Ordered::limits`](super::Ordered::limits).
    pub limits: In<'a, u32>,
    /// Number of levels.
    pub levels: u32,
    /// States of all vertices, coordinates and distance: odd iterations read the first and write the second.
    pub first: Out<'a, Quad>,
    /// Even iterations read these and write the first.
    pub second: Out<'a, Quad>,
    /// For each level, from entry 1 on: one more than the iteration in which a distance of it changed last.
    pub stamps: Out<'a, u32>,
    /// Factor by which a distance has to decrease to change.
    pub keep: f32,
}

impl Front<'_> {
    /// Updates the vertices of a window; returns the levels in which a distance changed. Collective.
    #[inline(always)]
    fn relax(&self, block: &Block, iteration: u32, window: Window) -> Bounds {
        let (bottom, top) = window.range();
        let (begin, end) = (self.limits.get(bottom), self.limits.get(top));
        let (from, to) =
            if iteration % 2 == 1 { (self.first, self.second) } else { (self.second, self.first) };
        let (words, keep) = (to.wide::<u32>(), self.keep);
        let update = |i: u32| {
            let [v, row, quads, level] = self.vertices.get(begin + nth(block, i)).0;
            let recent =
                |entry: u32| atomic::load(self.stamps, entry, Relaxed, Scope::Device) + 1 >= iteration;
            let first = window.touches(level);
            if !(first | recent(level) | recent(level + 1) | recent(level + 2)) {
                return NOTHING;
            }
            let own = from.get(v);
            let known = f32::from_bits(own.0[3] & !CHANGED);
            let best = self.least(from, own, known, (row, quads), first);
            if best < known * keep {
                words.set(4 * v + 3, best.to_bits() | CHANGED);
                atomic::store(self.stamps, level + 1, iteration + 1, Relaxed, Scope::Device);
                bounds_of(level)
            } else {
                words.set(4 * v + 3, known.to_bits());
                NOTHING
            }
        };
        block.reduce(share(block, end - begin), NOTHING, update, together)
    }
    /// The least of `known` and the distances that the triangles around a vertex offer: all triangles, or
    /// only those that have changed.
    #[inline(always)]
    fn least(&self, from: Out<'_, Quad>, own: Quad, known: f32, (row, quads): (u32, u32), all: bool) -> f32 {
        let here = place(own);
        let mut best = known;
        let mut before = Corner { place: Vec3::ZERO, distance: f32::INFINITY };
        let (mut before_changed, mut linked) = (false, false);
        self.ring.each(
            row,
            quads,
            |u| from.get(u),
            |entry, state| {
                let changed = all | (state.0[3] & CHANGED != 0);
                let distance = f32::from_bits(state.0[3] & !CHANGED);
                let corner = Corner { place: place(state) - here, distance };
                if changed {
                    best = best.min(along(corner));
                }
                if linked && (changed | before_changed) && may_shorten(before, corner, best) {
                    best = best.min(across(before, corner));
                }
                (before, before_changed, linked) = (corner, changed, entry & BREAK == 0);
            },
        );
        best
    }
}

/// Reports the levels that changed in a block's share of an iteration.
#[inline(always)]
fn tell(block: &Block, changed: Bounds, changes: Out<'_, u32>, turn: u32) {
    if changed != NOTHING {
        block.single_nosync(|| {
            atomic::fetch_min(changes, 2 * turn, changed as u32, Relaxed, Scope::Device);
            atomic::fetch_min(changes, 2 * turn + 1, (changed >> 32) as u32, Relaxed, Scope::Device);
        });
    }
}

/// Runs all iterations in one resident launch. `changes` has two words for each of [`TURNS`], all ones
/// before. `result` gets the number of iterations.
#[kernel(threads = 256)]
pub fn propagate<'a>(
    block: &Block,
    grid: Grid,
    front: Front<'a>,
    changes: Out<'a, u32>,
    most: u32,
    result: Out<'a, u32>,
) {
    let mut window = Window::first(front.levels);
    let mut iteration = 1;
    loop {
        let turn = iteration % TURNS;
        let changed = front.relax(block, iteration, window);
        tell(block, changed, changes, turn);
        if block.index() == 0 {
            let next = 2 * ((iteration + 1) % TURNS);
            block.single_nosync(|| {
                atomic::store(changes, next, u32::MAX, Relaxed, Scope::Device);
                atomic::store(changes, next + 1, u32::MAX, Relaxed, Scope::Device);
            });
        }
        // all blocks have written their distances and levels before any block reads them
        block.grid_sync(grid);
        let changed = changes.get(2 * turn) as u64 | (changes.get(2 * turn + 1) as u64) << 32;
        match window.next(changed) {
            Some(next) if iteration < most => window = next,
            more => {
                if block.index() == 0 {
                    block.single_nosync(|| {
                        result.set(0, iteration);
                        if more.is_some() {
                            block.status().record_code(NOT_SETTLED, 0, iteration, 0);
                        }
                    });
                }
                return;
            }
        }
        iteration += 1;
    }
}

/// Runs one iteration. `changes`, all ones before, gets the levels in which distances changed.
#[kernel(threads = 256)]
pub fn relax_once<'a>(
    block: &Block,
    front: Front<'a>,
    iteration: u32,
    window: Window,
    changes: Out<'a, u32>,
) {
    let changed = front.relax(block, iteration, window);
    tell(block, changed, changes, 0);
}
