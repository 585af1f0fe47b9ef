//! The small levels of multigrid, in common buffers: all phases of a cycle in one launch.
use super::level::{Level, parent};
use super::multigrid::{restricted, smoothed};
use ribbonmesh::device::{Arena, Block, Grid, In, Out, Parameter, Shared, kernel};
use ribbonmesh_linear::running;

/// Smoothing steps on the coarsest level, before the order of colours is reversed and after it.
const STEPS: u32 = 16;
/// A level with at most this many cells falls to one block of the tail: barriers between blocks cost more.
const FEW: u32 = 4096;
/// Threads of a block of the tail's kernels.
const THREADS: u32 = 1024;

/// Levels of which each is the next coarser one of that before. Their values follow each other in each array.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Tail<'a> {
    /// Cells of the first level along each axis.
    pub n: [u32; 3],
    /// Number of levels.
    pub levels: u32,
    /// As in [`Level`].
    pub x: In<'a, f32>,
    /// As in [`Level`].
    pub y: In<'a, f32>,
    /// As in [`Level`].
    pub z: In<'a, f32>,
    /// As in [`Level`].
    pub diagonal: In<'a, f32>,
    /// Right-hand sides.
    pub b: Out<'a, f32>,
    /// Solutions.
    pub values: Out<'a, f32>,
}
impl<'a> Tail<'a> {
    /// The cells of a level along each axis, and the place of its first value in each array.
    #[inline(always)]
    pub fn place(&self, l: u32) -> ([u32; 3], u32) {
        let (mut n, mut first, mut k) = (self.n, 0, 0);
        while k < l {
            first += n[0] * n[1] * n[2];
            n = n.map(|n| n.div_ceil(2));
            k += 1;
        }
        (n, first)
    }
    /// A level, and the place of its first value in [`b`](Self::b) and [`values`](Self::values).
    #[inline(always)]
    pub fn level(&self, l: u32) -> (Level<'a>, u32) {
        let (n, first) = self.place(l);
        let [x, y, z, diagonal] = [self.x, self.y, self.z, self.diagonal].map(|of| of.at(first));
        (Level { n, x, y, z, diagonal }, first)
    }
    /// Number of cells of a level.
    #[inline(always)]
    pub fn count(&self, l: u32) -> u32 {
        let [x, y, z] = self.place(l).0;
        x * y * z
    }
}

/// The blocks that work on a level, and the place of this block among them.
#[derive(Clone, Copy)]
struct Share {
    index: u32,
    count: u32,
}
impl Share {
    /// One block.
    const ALONE: Self = Self { index: 0, count: 1 };
    /// All blocks of a launch.
    #[inline(always)]
    fn of(block: &Block) -> Self {
        Self { index: block.index(), count: block.count() }
    }
    /// Runs `f` for the block's share of `n` elements: chunks of as many as a block has threads, in turns. No
    /// barrier.
    #[inline(always)]
    fn for_each(self, block: &Block, n: u32, f: impl Fn(u32)) {
        let turn = THREADS * self.count;
        block.for_each_nosync(n.div_ceil(turn) * THREADS, |k| {
            let i = k / THREADS * turn + THREADS * self.index + k % THREADS;
            if i < n {
                f(i);
            }
        });
    }
}
/// Smooths the cells of a colour of level `l` of the tail; with `first` other values count as 0.
#[inline(always)]
fn relax_of(block: &Block, share: Share, tail: Tail<'_>, l: u32, colour: u32, first: bool) {
    let (level, at) = tail.level(l);
    share.for_each(block, level.halves(), |half| {
        let value = (!first).then_some(|other: u32, _: [u32; 3]| tail.values.get(at + other));
        if let Some((c, new)) = smoothed(level, half, colour, |c| tail.b.get(at + c), value) {
            tail.values.set(at + c, new);
        }
    });
}
/// As [`relax_corrected`], of level `l` of the tail.
#[inline(always)]
fn correct_of(block: &Block, share: Share, tail: Tail<'_>, l: u32) {
    let ((level, at), (coarse, from)) = (tail.level(l), tail.level(l + 1));
    share.for_each(block, level.halves(), |half| {
        let value = |other: u32, place: [u32; 3]| {
            tail.values.get(at + other) + tail.values.get(from + parent(coarse.n, place))
        };
        if let Some((c, new)) = smoothed(level, half, 1, |c| tail.b.get(at + c), Some(value)) {
            tail.values.set(at + c, new);
        }
    });
}
/// As [`restrict`], from level `l` of the tail.
#[inline(always)]
fn restrict_of(block: &Block, share: Share, tail: Tail<'_>, l: u32) {
    let ((fine, at), (coarse, to)) = (tail.level(l), tail.level(l + 1));
    share.for_each(block, coarse.count(), |cell| {
        let sum = restricted(fine, coarse.n, cell, |c| tail.b.get(at + c), |c| tail.values.get(at + c));
        tail.b.set(to + cell, sum);
    });
}

fn memory<'b>(arena: &'b Arena, tail: &Tail<'_>) -> Shared<'b, f32> {
    arena.take(tail.count(tail.levels - 1))
}
/// Solves the coarsest level nearly exactly: many smoothing steps. One block.
#[inline(always)]
fn solve_of(block: &Block, tail: Tail<'_>) {
    let (level, at) = tail.level(tail.levels - 1);
    let n = level.count();
    let values = memory(block.arena(), &tail);
    block.for_each(n, |c| values.set(c, 0.0));
    let mut step = 0;
    while step < 4 * STEPS {
        // first red before black, then black before red
        let colour = if step < 2 * STEPS { step & 1 } else { (step & 1) ^ 1 };
        block.for_each(level.halves(), |half| {
            let value = Some(|other: u32, _: [u32; 3]| values.get(other));
            if let Some((c, new)) = smoothed(level, half, colour, |c| tail.b.get(at + c), value) {
                values.set(c, new);
            }
        });
        step += 1;
    }
    block.for_each_nosync(n, |c| tail.values.set(at + c, values.get(c)));
}

/// Smooths level `l` of the tail, whose values count as 0, and restricts what is left. `meet` is a barrier
/// between the blocks of the share, with which it ends.
#[inline(always)]
fn down(block: &Block, share: Share, tail: Tail<'_>, l: u32, sweeps: u32, meet: impl Fn()) {
    let mut step = 0;
    while step < 2 * sweeps {
        relax_of(block, share, tail, l, step % 2, step == 0);
        meet();
        step += 1;
    }
    restrict_of(block, share, tail, l);
    meet();
}
/// Adds the correction of the next level to level `l` of the tail, and smooths in the reverse order. Begins
/// with the barrier `meet`.
#[inline(always)]
fn up(block: &Block, share: Share, tail: Tail<'_>, l: u32, sweeps: u32, meet: impl Fn()) {
    meet();
    correct_of(block, share, tail, l);
    let mut step = 1;
    while step < 2 * sweeps {
        meet();
        relax_of(block, share, tail, l, 1 - step % 2, false);
        step += 1;
    }
}

/// The whole tail of a V-cycle, from its first right-hand side to its first solution. A resident launch; its
/// first block does the smallest levels.
#[kernel(threads = 1024, shared = memory(arena, &tail))]
pub fn cycle_tail<'a>(block: &Block, grid: Grid, state: In<'a, f64>, tail: Tail<'a>, sweeps: u32) {
    if !running(state) {
        return;
    }
    let (all, mut l) = (Share::of(block), 0);
    while l + 1 < tail.levels && tail.count(l) > FEW {
        down(block, all, tail, l, sweeps, || block.grid_sync(grid));
        l += 1;
    }
    if block.index() == 0 {
        let few = l;
        while l + 1 < tail.levels {
            down(block, Share::ALONE, tail, l, sweeps, || block.sync());
            l += 1;
        }
        solve_of(block, tail);
        while l > few {
            l -= 1;
            up(block, Share::ALONE, tail, l, sweeps, || block.sync());
        }
    }
    while l > 0 {
        l -= 1;
        up(block, all, tail, l, sweeps, || block.grid_sync(grid));
    }
}
/// A step of smoothing of level `l` of the tail: as [`relax`].
#[kernel(threads = 1024)]
pub fn relax_tail<'a>(block: &Block, state: In<'a, f64>, tail: Tail<'a>, l: u32, colour: u32, first: u32) {
    if running(state) {
        relax_of(block, Share::of(block), tail, l, colour, first != 0);
    }
}
/// As [`relax_corrected`], of level `l` of the tail.
#[kernel(threads = 1024)]
pub fn correct_tail<'a>(block: &Block, state: In<'a, f64>, tail: Tail<'a>, l: u32) {
    if running(state) {
        correct_of(block, Share::of(block), tail, l);
    }
}
/// As [`restrict`], from level `l` of the tail.
#[kernel(threads = 1024)]
pub fn restrict_tail<'a>(block: &Block, state: In<'a, f64>, tail: Tail<'a>, l: u32) {
    if running(state) {
        restrict_of(block, Share::of(block), tail, l);
    }
}
/// Solves the coarsest level of the tail. One block.
#[kernel(threads = 1024, shared = memory(arena, &tail))]
pub fn solve_tail<'a>(block: &Block, state: In<'a, f64>, tail: Tail<'a>) {
    if running(state) {
        solve_of(block, tail);
    }
}
