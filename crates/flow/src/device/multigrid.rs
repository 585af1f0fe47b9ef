//! The preconditioner: a V-cycle over levels of cells, each of eight cells of the level below (McAdams,
//! Sifakis and Teran 2010), whose equations are sums of those of the cells below (Braess 1995).
//!
//! A cell's equation is diagonal · x − Σ coefficient · (x of the cell beyond the face) = b. On the finest
//! level a coefficient is the open fraction of a face between two unknowns. A coarser level has the sums of
//! the coefficients between its cells, times [`SCALE`]: two cells have four faces between them, in two
//! dimensions two, and their centres are twice as far apart. So the matrix is half of Galerkin's, and that of
//! cells twice as large whose faces have the mean of the open fractions. A level represents sheets and gaps
//! of any form, no cell of the level below is lost, and all levels are symmetric and positive definite.
//!
//! A level is smoothed by Gauss and Seidel's method in two colours: black after red before the coarser level,
//! red after black after it, so that the whole is symmetric. The correction from the coarser level is
//! constant on its cells; it is added while black cells are smoothed.
//!
//! Small levels would cost more launches than work: [`cycle_tail`] is all of them in one resident launch, and the
//! kernels of its phases are for machines without one.
use super::level::{Level, LevelOut, parent, place};
use super::tail::Tail;
use ribbonmesh::device::{Arena, Block, Grid, In, Out, Shared, kernel};
use ribbonmesh_linear::running;

/// Factor of the coefficients of a coarser level.
pub const SCALE: f32 = 0.5;
/// The most cells of the coarsest level.
#[cfg(not(target_arch = "nvptx64"))]
pub const COARSEST: u32 = 512;
/// The most cells of the first level of the tail.
#[cfg(not(target_arch = "nvptx64"))]
pub const SMALL: u32 = 1 << 18;
/// Smoothing steps on the coarsest level, before the order of colours is reversed and after it.
const STEPS: u32 = 16;
/// A level with at most this many cells falls to one block of the tail: barriers between blocks cost more.
const FEW: u32 = 4096;
/// Threads of a block of the tail's kernels.
const THREADS: u32 = 1024;

/// The coefficients and the diagonal of a cell of the next coarser level. `of` gives coefficients with the cell
/// before along an axis, and the diagonal as the fourth.
#[inline(always)]
fn coarsened(n: [u32; 3], coarse: [u32; 3], cell: u32, of: impl Fn(usize, u32) -> f32) -> ([f32; 3], f32) {
    let (at, steps) = (place(coarse, cell), [1, n[0], n[0] * n[1]]);
    let (mut lower, mut diagonal) = ([0.0; 3], 0.0);
    let mut child = 0;
    while child < 8 {
        let bits = [child & 1, child >> 1 & 1, child >> 2];
        let below = [0, 1, 2].map(|a| 2 * at[a] + bits[a]);
        if below[0] < n[0] && below[1] < n[1] && below[2] < n[2] {
            let c = below[0] + steps[1] * below[1] + steps[2] * below[2];
            diagonal += of(3, c);
            let mut a = 0;
            while a < 3 {
                let coefficient = of(a, c);
                if bits[a] == 0 {
                    lower[a] += coefficient;
                } else {
                    // between two cells of one coarse cell
                    diagonal -= 2.0 * coefficient;
                }
                a += 1;
            }
        }
        child += 1;
    }
    (lower.map(|c| SCALE * c), SCALE * diagonal)
}
/// Computes the next coarser level. 36 bytes for each of its cells, and 128 below.
#[kernel(threads = 256)]
pub fn coarsen<'a>(block: &Block, fine: Level<'a>, coarse: [u32; 3], to: LevelOut<'a>) {
    block.for_each_of_tile(coarse[0] * coarse[1] * coarse[2], |cell| {
        let of = |a: usize, c: u32| match a {
            0 => fine.x.get(c),
            1 => fine.y.get(c),
            2 => fine.z.get(c),
            _ => fine.diagonal.get(c),
        };
        let (lower, diagonal) = coarsened(fine.n, coarse, cell, of);
        to.set(cell, lower, diagonal);
    });
}
/// As [`coarsen`], within the arrays of the tail: from a level with `n` cells along each axis. The values of both
/// begin at `first`.
#[kernel(threads = 256)]
pub fn coarsen_tail<'a>(block: &Block, n: [u32; 3], coarse: [u32; 3], first: [u32; 2], level: LevelOut<'a>) {
    block.for_each_of_tile(coarse[0] * coarse[1] * coarse[2], |cell| {
        let of = |a: usize, c: u32| match a {
            0 => level.x.get(first[0] + c),
            1 => level.y.get(first[0] + c),
            2 => level.z.get(first[0] + c),
            _ => level.diagonal.get(first[0] + c),
        };
        let (lower, diagonal) = coarsened(n, coarse, cell, of);
        level.set(first[1] + cell, lower, diagonal);
    });
}

/// The value of a smoothed cell of a colour; `None` for cells that are no unknowns. `value` gets the index and the
/// coordinates of a cell of the other colour; `None` where all count as 0.
#[inline(always)]
fn smoothed(
    level: Level<'_>,
    half: u32,
    colour: u32,
    b: impl Fn(u32) -> f32,
    value: Option<impl Fn(u32, [u32; 3]) -> f32>,
) -> Option<(u32, f32)> {
    let (c, at) = level.of_colour(half, colour)?;
    let diagonal = level.diagonal.get(c);
    if diagonal == 0.0 {
        return None;
    }
    let around = match value {
        Some(value) => level.around(c, at, value),
        None => 0.0,
    };
    Some((c, (b(c) + around) / diagonal))
}

/// Smooths the cells of a colour: 0 for red, 1 for black. If `first` is 1, all other values count as 0.
#[kernel(threads = 256)]
pub fn relax<'a>(
    block: &Block,
    level: Level<'a>,
    state: In<'a, f64>,
    b: In<'a, f32>,
    colour: u32,
    first: u32,
    x: Out<'a, f32>,
) {
    if !running(state) {
        return;
    }
    block.for_each_of_tile(level.halves(), |half| {
        // cells of the other colour are not written here
        let value = (first == 0).then_some(|other: u32, _: [u32; 3]| x.get(other));
        if let Some((c, new)) = smoothed(level, half, colour, |c| b.get(c), value) {
            x.set(c, new);
        }
    });
}

/// Smooths the black cells, with the correction of the coarser level added to the values of red cells. These
/// are smoothed next, so the correction need not be stored.
#[kernel(threads = 256)]
pub fn relax_corrected<'a>(
    block: &Block,
    level: Level<'a>,
    state: In<'a, f64>,
    coarse: [u32; 3],
    correction: In<'a, f32>,
    b: In<'a, f32>,
    x: Out<'a, f32>,
) {
    if !running(state) {
        return;
    }
    block.for_each_of_tile(level.halves(), |half| {
        let value = |other: u32, at: [u32; 3]| x.get(other) + correction.get(parent(coarse, at));
        if let Some((c, new)) = smoothed(level, half, 1, |c| b.get(c), Some(value)) {
            x.set(c, new);
        }
    });
}

/// The sum of the residuals of the cells in a cell of the coarser level: only of red cells, since black ones were
/// smoothed last and have no residual.
#[inline(always)]
fn restricted(
    fine: Level<'_>,
    coarse: [u32; 3],
    cell: u32,
    b: impl Fn(u32) -> f32,
    x: impl Fn(u32) -> f32,
) -> f32 {
    let at = place(coarse, cell);
    let (mut sum, mut child) = (0.0, 0);
    while child < 8 {
        let bits = [child & 1, child >> 1 & 1, child >> 2];
        let below = [0, 1, 2].map(|a| 2 * at[a] + bits[a]);
        let red = (bits[0] + bits[1] + bits[2]) & 1 == 0;
        if red && below[0] < fine.n[0] && below[1] < fine.n[1] && below[2] < fine.n[2] {
            let c = below[0] + fine.n[0] * (below[1] + fine.n[1] * below[2]);
            let diagonal = fine.diagonal.get(c);
            if diagonal > 0.0 {
                sum += b(c) + fine.around(c, below, |other, _| x(other)) - diagonal * x(c);
            }
        }
        child += 1;
    }
    sum
}

/// Sums the residuals of the cells in each cell of the coarser level.
#[kernel(threads = 256)]
pub fn restrict<'a>(
    block: &Block,
    fine: Level<'a>,
    state: In<'a, f64>,
    coarse: [u32; 3],
    b: In<'a, f32>,
    x: In<'a, f32>,
    to: Out<'a, f32>,
) {
    if !running(state) {
        return;
    }
    block.for_each_of_tile(coarse[0] * coarse[1] * coarse[2], |cell| {
        to.set(cell, restricted(fine, coarse, cell, |c| b.get(c), |c| x.get(c)));
    });
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

/// Smooths level `l` of the tail, whose values count as 0, and restricts what is left. `meet` is a barrier between
/// the blocks of the share, with which it ends.
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
/// Adds the correction of the next level to level `l` of the tail, and smooths in the reverse order. Begins with
/// the barrier `meet`.
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

/// The whole tail of a V-cycle, from its first right-hand side to its first solution. A resident launch; its first
/// block does the smallest levels.
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
