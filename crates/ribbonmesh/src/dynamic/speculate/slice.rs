//! Slicing a patch in two (thesis 5.3.4).
use super::division::{Division, STASH, row, state, statistics};
use super::held::{Held, put};
use super::locking::locks;
use super::memory::Memory;
use super::pass::{begin_patch, count, stop};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, FaceId, NONE, Shared};
use crate::dynamic::control;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::site::MeshWrite;
use ribbonmesh_concurrent::Queue;

/// How often the seeds of both halves are moved to their middles.
const ITERATIONS: u32 = 2;

/// Whether a patch with so many faces is sliced when it is stored.
#[inline(always)]
pub fn is_large(d: Division<'_>, n: u32) -> bool {
    4 * n as u64 > 3 * d.capacity as u64
}

/// Faces of the patch, by their places in its list.
#[derive(Clone, Copy)]
struct Halves<'a> {
    d: Division<'a>,
    mesh: Held<'a>,
    m: Memory<'a>,
    n: u32,
}
impl<'a> Halves<'a> {
    /// What the search has reached: `distance << 1 | half`.
    #[inline(always)]
    fn reached(&self) -> Shared<'a, u32> {
        self.m.seeds
    }
    /// The same while a step is made.
    #[inline(always)]
    fn next(&self) -> Shared<'a, u32> {
        self.m.ranks
    }
    #[inline(always)]
    fn half(&self, i: u32) -> u32 {
        self.m.seeds.get(self.d.capacity + i)
    }
    #[inline(always)]
    fn set_half(&self, i: u32, half: u32) {
        self.m.seeds.set(self.d.capacity + i, half);
    }
    /// The places of the neighbours of face `i` in the patch.
    #[inline(always)]
    fn neighbours(&self, i: u32, mut visit: impl FnMut(u32)) {
        let f = FaceId::new(self.m.faces.get(i));
        for dart in self.mesh.darts(f) {
            // a face that was deleted since the list was read
            if dart.index() == NONE {
                return;
            }
            if let Some(h) = self.mesh.half_edge(dart.reversed())
                && self.mesh.owner(h.face()) == self.mesh.patch
            {
                visit(self.d.local.get(h.face().index()));
            }
        }
    }
    /// Breadth-first search from what has distance 0, within halves if so. Collective.
    #[inline(always)]
    fn search(&self, block: &Block, within: bool) {
        let (reached, next) = (self.reached(), self.next());
        let mut step = 0;
        loop {
            block.for_each(self.n, |i| next.set(i, reached.get(i)));
            block.for_each(self.n, |i| {
                let word = reached.get(i);
                if word != NONE && word >> 1 == step {
                    self.neighbours(i, |j| {
                        if reached.get(j) == NONE && !(within && self.half(i) != self.half(j)) {
                            next.fetch_min(j, (step + 1) << 1 | word & 1);
                        }
                    });
                }
            });
            if !block.any(self.n, |i| next.get(i) != reached.get(i)) {
                return;
            }
            block.for_each(self.n, |i| reached.set(i, next.get(i)));
            step += 1;
        }
    }
    /// The place of the farthest face, of a half if so. Collective.
    #[inline(always)]
    fn farthest(&self, block: &Block, of: Option<u32>) -> u32 {
        let key = |i: u32| {
            let word = self.reached().get(i);
            let counts = word != NONE && of.is_none_or(|half| self.half(i) == half);
            if counts { (word >> 1) << 16 | i } else { 0 }
        };
        let farthest = block.reduce(self.n, 0, key, |a, b| a.max(b)) & 0xFFFF;
        block.sync();
        farthest
    }
    /// A search from one face, or from two that are the seeds of halves. Collective.
    #[inline(always)]
    fn search_from(&self, block: &Block, a: u32, b: u32) {
        block.for_each(self.n, |i| {
            let word = if i == a {
                0
            } else if i == b {
                1
            } else {
                NONE
            };
            self.reached().set(i, word);
        });
        self.search(block, false);
    }
    /// Halves from the last search: what it did not reach is in the second one. Collective.
    #[inline(always)]
    fn take(&self, block: &Block) {
        block.for_each(self.n, |i| {
            let word = self.reached().get(i);
            self.set_half(i, if word == NONE { 1 } else { word & 1 });
        });
    }
    /// Finds the halves: from two faces that are far apart, by Lloyd's iterations. Collective.
    #[inline(always)]
    fn find(&self, block: &Block) {
        let Self { m, d, n, .. } = *self;
        block.for_each(n, |i| d.local.set(m.faces.get(i), i));
        self.search_from(block, 0, 0);
        let a = self.farthest(block, None);
        self.search_from(block, a, a);
        let b = self.farthest(block, None);
        self.search_from(block, a, b);
        self.take(block);
        let mut iteration = 0;
        while iteration < ITERATIONS {
            // distances from the other half
            block.for_each(n, |i| {
                let mut between = false;
                self.neighbours(i, |j| between |= self.half(j) != self.half(i));
                self.reached().set(i, if between { self.half(i) } else { NONE });
            });
            self.search(block, true);
            let (a, b) = (self.farthest(block, Some(0)), self.farthest(block, Some(1)));
            self.search_from(block, a, b);
            self.take(block);
            iteration += 1;
        }
        let second = block.count_where(n, |i| self.half(i) != 0);
        if second == 0 || second == n {
            block.for_each(n, |i| self.set_half(i, (i >= n / 2) as u32));
        }
    }
}

/// Slices the patch that is worked on in two; the second half becomes a new patch, which is held, too. With `unfinished`, the
/// new one is pushed to the queue. Without room for a new patch, nothing is done, and if it is unfinished the run stops. Collective.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub fn slice(
    block: &Block,
    rounds: Rounds<'_>,
    d: Division<'_>,
    m: Memory<'_>,
    mesh: Held<'_>,
    held: &mut u32,
    n: &mut u32,
    unfinished: bool,
) {
    let (patch, faces) = (mesh.patch, *n);
    if unfinished && 2 * faces < d.capacity {
        // it is not the patch that is large, but what one cavity makes
        return stop(block, rounds, d, control::NO_FACES, state::WANTED_FACES, 2 * d.capacity);
    }
    if *held == d.most_held {
        if unfinished {
            stop(block, rounds, d, control::NO_LOCKS, state::WANTED_HELD, *held + 1);
        }
        return;
    }
    let new = block.single(|| {
        let new = atomic::fetch_add(d.state, state::PATCHES, 1, Order::Relaxed, Scope::Device);
        if new >= d.most_patches {
            atomic::fetch_add(d.state, state::PATCHES, u32::MAX, Order::Relaxed, Scope::Device);
            return NONE;
        }
        // nobody else knows it
        if locks(d).acquire_alone(new) { new } else { NONE }
    });
    if new == NONE {
        if unfinished {
            stop(block, rounds, d, control::NO_PATCHES, state::WANTED_PATCHES, d.most_patches + 1);
        }
        return;
    }
    let halves = Halves { d, mesh, m, n: faces };
    halves.find(block);
    // both lists: the first behind the second's places in shared memory, then in their places
    block.for_each(faces, |i| m.ranks.set(i, 1 - halves.half(i)));
    let first = block.exclusive_scan(m.ranks, faces);
    block.for_each(faces, |i| {
        let (f, before) = (m.faces.get(i), m.ranks.get(i));
        if halves.half(i) == 0 {
            d.faces.set(d.place(patch, before), f);
            m.seeds.set(before, f);
        } else {
            d.faces.set(d.place(new, i - before), f);
            put(d.owner, f, new);
        }
    });
    block.for_each(first, |i| m.faces.set(i, m.seeds.get(i)));
    let others = (*held).min(STASH);
    block.for_each_nosync(others, |i| d.stash.set(STASH * new + i, m.held.get(i)));
    block.single_nosync(|| {
        d.set_row(patch, row::FACES, first);
        d.set_row(new, row::FACES, faces - first);
        d.set_row(new, row::STASH, others);
        d.set_row(new, row::POSTED, 0);
        d.set_row(new, row::REFUSALS, 0);
        d.set_row(new, row::RETURNS, 0);
        d.set_row(new, row::WAITS_FOR, 0);
        d.set_row(new, row::WAITS, 0);
        m.held.set(*held, new);
        m.set.insert(new);
        count(rounds, d, statistics::SLICED, 1);
    });
    block.sync();
    *held += 1;
    *n = first;
    if unfinished {
        block.single_nosync(|| begin_patch(Queue::new(d.queue), new));
    }
}
