//! Propagation by distance: a vertex passes its distance on if it is within a band above the least distance
//! that has not been passed on yet.
use super::levels::TURNS;
use super::{CHUNK, NOT_SETTLED, SIGN, nth, place, share};
use crate::geodesic::stored::{BREAK, RingView};
use crate::geodesic::update::{Corner, across, along, may_shorten};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::{Arena, Block, Grid, Out, Parameter, Quad, Shared, Vec3, kernel};

/// Words of a turn's counters.
pub const WORDS: u32 = 4;
/// Initial values of a turn's counters: vertices to update, vertices that wait, the bits of the least
/// distance.
#[cfg(not(target_arch = "nvptx64"))]
pub const CLEARED: [u32; WORDS as usize] = [0, 0, u32::MAX, 0];

/// Lists of which odd and even iterations have one each.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct BandLists<'a> {
    /// Vertices to update.
    pub updates: Out<'a, u32>,
    /// Vertices whose distance has not been passed on.
    pub waits: Out<'a, u32>,
    /// For each vertex, the last iteration with these lists in which it is to be updated.
    pub stamps: Out<'a, u32>,
}

/// Data of all iterations.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Band<'a> {
    /// Neighbours.
    pub ring: RingView<'a>,
    /// Coordinates and distance of each vertex.
    pub states: Out<'a, Quad>,
    /// Lists of odd iterations.
    pub odd: BandLists<'a>,
    /// Lists of even iterations.
    pub even: BandLists<'a>,
    /// For each vertex to update, the distance that its triangles offer.
    pub offers: Out<'a, f32>,
    /// For each vertex, whether it waits: 1 or 0.
    pub waiting: Out<'a, u32>,
    /// Width of the band.
    pub width: f32,
    /// Factor by which a distance has to decrease to change.
    pub keep: f32,
}

/// An iteration.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Step {
    /// Its number, beginning with 1.
    pub number: u32,
    /// Number of vertices to update.
    pub updates: u32,
    /// Number of vertices that wait.
    pub waits: u32,
    /// End of the band.
    pub limit: f32,
}
impl Step {
    /// The first iteration: `sources` wait, and no vertex is to be updated.
    #[inline(always)]
    pub fn first(sources: u32, width: f32) -> Self {
        Self { number: 1, updates: 0, waits: sources, limit: width }
    }
    /// The next iteration, given the counters; `None` if all distances are final.
    #[inline(always)]
    pub fn next(self, [updates, waits, least]: [u32; 3], width: f32) -> Option<Self> {
        let limit = f32::from_bits(least) + width;
        if updates == 0 && waits == 0 {
            None
        } else {
            Some(Self { number: self.number + 1, updates, waits, limit })
        }
    }
}

/// Shared memory: vertices to update, vertices that wait, and their numbers with the least distance.
#[derive(Clone, Copy)]
struct Staged<'b> {
    updates: Shared<'b, u32>,
    waits: Shared<'b, u32>,
    counts: Shared<'b, u32>,
}
impl<'b> Staged<'b> {
    fn layout(arena: &'b Arena) -> Self {
        Self { updates: arena.take(4 * CHUNK), waits: arena.take(CHUNK), counts: arena.take(3) }
    }
}

impl Band<'_> {
    /// Computes the distances that the triangles around each vertex to update offer.
    #[inline(always)]
    fn offer(&self, block: &Block, step: Step) {
        let list = if step.number % 2 == 1 { self.odd.updates } else { self.even.updates };
        block.for_each_nosync(share(block, step.updates), |i| {
            let k = nth(block, i);
            self.offers.set(k, self.least(list.get(k)));
        });
    }
    #[inline(always)]
    fn least(&self, v: u32) -> f32 {
        let row = self.ring.rows.get(v);
        let (first, quads) = (row as u32, (row >> 32) as u32);
        let own = self.states.get(v);
        let (here, mut best) = (place(own), f32::from_bits(own.0[3] & !SIGN));
        let mut before = Corner { place: Vec3::ZERO, distance: f32::INFINITY };
        let mut linked = false;
        self.ring.each(
            first,
            quads,
            |u| self.states.get(u),
            |entry, state| {
                let distance = f32::from_bits(state.0[3] & !SIGN);
                let corner = Corner { place: place(state) - here, distance };
                if distance < best {
                    best = best.min(along(corner));
                }
                if linked && may_shorten(before, corner, best) {
                    best = best.min(across(before, corner));
                }
                (before, linked) = (corner, entry & BREAK == 0);
            },
        );
        best
    }
    /// Accepts the offers, and lists the vertices to update in the next iteration: those around vertices that
    /// pass their distance on.
    #[inline(always)]
    fn accept(&self, block: &Block, step: Step, staged: Staged<'_>, turns: Out<'_, u32>) {
        let is_odd = step.number % 2 == 1;
        let (odd, even) = (self.odd, self.even);
        let (now, next) = if is_odd { (odd, even) } else { (even, odd) };
        let BandLists { updates, waits, stamps } = now;
        let BandLists { updates: next_updates, waits: next_waits, stamps: next_stamps } = next;
        let turn = WORDS * (step.number % TURNS);
        let n = share(block, step.updates + step.waits);
        let mut first = 0;
        while first < n {
            let len = if n - first < CHUNK { n - first } else { CHUNK };
            if first > 0 {
                // until the lists of the chunk before are copied, the next one must not overwrite them
                block.sync();
            }
            block.for_each(3, |i| staged.counts.set(i, if i == 2 { u32::MAX } else { 0 }));
            block.for_each(len, |i| {
                let k = nth(block, first + i);
                let updated = k < step.updates;
                let v = if updated { updates.get(k) } else { waits.get(k - step.updates) };
                if !updated && stamps.get(v) == step.number {
                    // the vertex is in both lists; the thread with its update takes care of it
                    return;
                }
                let mut distance = self.distance(v);
                let waited = self.waiting.get(v) != 0;
                if updated {
                    let offer = self.offers.get(k);
                    if offer < distance * self.keep {
                        distance = offer;
                        atomic::store(self.words(), 4 * v + 3, offer.to_bits(), Relaxed, Scope::Device);
                    } else if !waited {
                        return;
                    }
                }
                staged.counts.fetch_min(2, distance.to_bits());
                if distance > step.limit {
                    self.waiting.set(v, 1);
                    staged.waits.set(staged.counts.fetch_add(1, 1), v);
                    return;
                }
                self.waiting.set(v, 0);
                self.each_ahead(v, distance, |w| {
                    let stamp = step.number + 1;
                    if atomic::exchange(next_stamps, w, stamp, Relaxed, Scope::Device) != stamp {
                        let at = staged.counts.fetch_add(0, 1);
                        if at < 4 * CHUNK {
                            staged.updates.set(at, w);
                        } else {
                            let at = atomic::fetch_add(turns, turn, 1, Relaxed, Scope::Device);
                            next_updates.set(at, w);
                        }
                    }
                });
            });
            let found = (staged.counts.get(0).min(4 * CHUNK), staged.counts.get(1));
            let bases = block.single(|| {
                let claim = |word: u32, n: u32| {
                    if n > 0 { atomic::fetch_add(turns, word, n, Relaxed, Scope::Device) } else { 0 }
                };
                let least = staged.counts.get(2);
                if least < u32::MAX {
                    atomic::fetch_min(turns, turn + 2, least, Relaxed, Scope::Device);
                }
                claim(turn, found.0) as u64 | (claim(turn + 1, found.1) as u64) << 32
            });
            block.for_each_nosync(found.0, |i| next_updates.set(bases as u32 + i, staged.updates.get(i)));
            block.for_each_nosync(found.1, |i| next_waits.set((bases >> 32) as u32 + i, staged.waits.get(i)));
            first += CHUNK;
        }
    }
    #[inline(always)]
    fn words(&self) -> Out<'_, u32> {
        self.states.wide()
    }
    #[inline(always)]
    fn distance(&self, v: u32) -> f32 {
        f32::from_bits(atomic::load(self.words(), 4 * v + 3, Relaxed, Scope::Device) & !SIGN)
    }
    /// The neighbours of `v` that a line past `v` may shorten. If the line crosses a side that ends in `v`,
    /// it is at least as long as the distance of `v` minus the edge between.
    #[inline(always)]
    fn each_ahead(&self, v: u32, distance: f32, f: impl Fn(u32)) {
        let row = self.ring.rows.get(v);
        let (first, quads) = (row as u32, (row >> 32) as u32);
        let place = |v: u32| {
            let word = |i: u32| f32::from_bits(self.words().get(4 * v + i));
            Vec3::new(word(0), word(1), word(2))
        };
        let here = place(v);
        self.ring.each(
            first,
            quads,
            |w| (place(w), self.distance(w)),
            |entry, (place, known)| {
                let (less, edge) = (distance - known, place - here);
                let behind = less > 0.0 && less * less >= edge.dot(edge);
                if !behind {
                    f(entry & !BREAK);
                }
            },
        );
    }
}

/// Runs all iterations in one resident launch. `turns` has [`CLEARED`] for each of [`TURNS`] before; the
/// sources wait. `result` gets the number of iterations.
#[kernel(threads = 256, shared = Staged::layout(arena))]
pub fn march<'a>(
    block: &Block,
    grid: Grid,
    band: Band<'a>,
    sources: u32,
    most: u32,
    turns: Out<'a, u32>,
    result: Out<'a, u32>,
) {
    let staged = Staged::layout(block.arena());
    let mut step = Step::first(sources, band.width);
    loop {
        if step.updates > 0 {
            band.offer(block, step);
            // all offers are computed from the old distances before any distance changes
            block.grid_sync(grid);
        }
        band.accept(block, step, staged, turns);
        if block.index() == 0 {
            let next = WORDS * ((step.number + 1) % TURNS);
            block.for_each_nosync(3, |i| {
                let value = if i == 2 { u32::MAX } else { 0 };
                atomic::store(turns, next + i, value, Relaxed, Scope::Device)
            });
        }
        // all blocks have finished their lists and counters before any block reads them
        block.grid_sync(grid);
        let turn = WORDS * (step.number % TURNS);
        match step.next([0, 1, 2].map(|i| turns.get(turn + i)), band.width) {
            Some(next) if step.number < most => step = next,
            more => {
                if block.index() == 0 {
                    block.single_nosync(|| {
                        result.set(0, step.number);
                        if more.is_some() {
                            block.status().record_code(NOT_SETTLED, 0, step.number, 0);
                        }
                    });
                }
                return;
            }
        }
    }
}

/// Runs the first half of an iteration: computes offers.
#[kernel(threads = 256)]
pub fn offer_once<'a>(block: &Block, band: Band<'a>, step: Step) {
    band.offer(block, step);
}
/// Runs the second half of an iteration: accepts offers. The counters of its turn are clear before.
#[kernel(threads = 256, shared = Staged::layout(arena))]
pub fn accept_once<'a>(block: &Block, band: Band<'a>, step: Step, turns: Out<'a, u32>) {
    band.accept(block, step, Staged::layout(block.arena()), turns);
}
