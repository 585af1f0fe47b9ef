//! Propagation: the vertices of a window of levels are updated, all at once, until nothing changes.
use super::bearings::Bearings;
use super::levels::TURNS;
use super::ring::{BREAK, RingView};
use super::window::{Bounds, NOTHING, Window, bounds_of, together};
use super::{DIRECTION, DISTANCE, NOT_SETTLED, OFFSET, SIGN, STATE, nth, share, state};
use crate::update::{Corner, Offer, State, may_shorten, place};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::{Block, Grid, In, Out, Parameter, Quad, kernel};

/// The sign bit of a distance: it changed in the iteration that wrote it.
const CHANGED: u32 = SIGN;

/// What all iterations share.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Front<'a> {
    /// Neighbours.
    pub ring: RingView<'a>,
    /// Directions at vertices.
    pub bearings: Bearings<'a>,
    /// As [`Ordered::vertices`](super::Ordered::vertices).
    pub vertices: In<'a, Quad>,
    /// As [`Ordered::limits`](super::Ordered::limits).
    pub limits: In<'a, u32>,
    /// Number of levels.
    pub levels: u32,
    /// States of all vertices, see [`State`]: odd iterations read the first and write the second.
    pub first: Out<'a, Quad>,
    /// Even iterations read these and write the first.
    pub second: Out<'a, Quad>,
    /// For each level, from entry 1 on: one more than the iteration in which a distance of it changed last.
    pub stamps: Out<'a, u32>,
    /// A distance changes if it becomes less than itself times this.
    pub keep: f32,
}

impl Front<'_> {
    /// Updates the vertices of a window; the levels in which a distance changed. Collective.
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
            let own = state(from, v);
            let known = f32::from_bits(own[0].0[3] & !CHANGED);
            let best = self.least(from, own, known, (row, quads), first);
            let better = best.distance < known * keep;
            let [offset, direction, ..] = own[1].0;
            let (distance, offset, direction) = if better {
                let direction = best.direction(self.bearings.there.get(best.entry));
                (best.distance.to_bits() | CHANGED, best.offset.to_bits(), direction.to_bits())
            } else {
                (known.to_bits(), offset, direction)
            };
            words.set(STATE * v + DISTANCE, distance);
            words.set(STATE * v + OFFSET, offset);
            words.set(STATE * v + DIRECTION, direction);
            if !better {
                return NOTHING;
            }
            atomic::store(self.stamps, level + 1, iteration + 1, Relaxed, Scope::Device);
            bounds_of(level)
        };
        block.reduce(share(block, end - begin), NOTHING, update, together)
    }
    /// The least of `known` and what the triangles around a vertex offer, `all` or those that have changed.
    #[inline(always)]
    fn least(
        &self,
        from: Out<'_, Quad>,
        own: State,
        known: f32,
        (row, quads): (u32, u32),
        all: bool,
    ) -> Offer {
        let here = place(own[0]);
        let mut best = Offer::known(known);
        let (mut before, mut before_changed, mut linked) = (Corner::NONE, false, false);
        self.ring.each(
            row,
            quads,
            |u| state(from, u),
            |at, entry, state| {
                let changed = all | (state[0].0[3] & CHANGED != 0);
                let corner = Corner::new(state, here, self.bearings.back.get(at));
                if changed {
                    best.along(corner, at);
                }
                if linked && (changed | before_changed) && may_shorten(before, corner, best.distance) {
                    best.across(before, corner, at - 1);
                }
                (before, before_changed, linked) = (corner, changed, entry & BREAK == 0);
            },
        );
        best
    }
}

/// Tells of the levels that changed in a block's share of an iteration.
#[inline(always)]
fn tell(block: &Block, changed: Bounds, changes: Out<'_, u32>, turn: u32) {
    if changed != NOTHING {
        block.single_nosync(|| {
            atomic::fetch_min(changes, 2 * turn, changed as u32, Relaxed, Scope::Device);
            atomic::fetch_min(changes, 2 * turn + 1, (changed >> 32) as u32, Relaxed, Scope::Device);
        });
    }
}

/// All iterations in one launch, resident. `changes` has two words for each of [`TURNS`], all ones before. `result` gets the
/// number of iterations.
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

/// One iteration. `changes`, all ones before, gets the levels in which distances changed.
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
