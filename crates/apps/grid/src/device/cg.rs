//! Conjugate gradients whose scalars stay on the device, with a preconditioner (Hestenes and Stiefel 1952): decision 8, with
//! one scalar product more.
//!
//! An iteration is a V-cycle z = M r, and three launches: [`weigh`] ends with β = r·z / (r·z before); [`direction`] computes
//! p = z + β p, multiplies, and ends with α = r·z / p·Ap; [`advance`] updates d += α p, r -= α Ap, and ends with r·r. Products
//! are summed in `f64`, block by block; the block that is last to finish adds the blocks' sums in their order.
use super::multigrid::Level;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, Out, Parameter, TILE, kernel};

/// The squared length of the residual.
pub const RR: u32 = 0;
/// That of the first residual.
pub const RR_FIRST: u32 = 1;
/// The product of the residual and the preconditioned one.
pub const RZ: u32 = 2;
/// The step along the direction.
pub const ALPHA: u32 = 3;
/// What is kept of the last direction.
pub const BETA: u32 = 4;
/// Iterations done.
pub const ITERATIONS: u32 = 5;
/// [`RUNNING`], [`CONVERGED`] or [`BROKEN`].
pub const OUTCOME: u32 = 6;
/// Numbers of a state.
#[cfg(not(target_arch = "nvptx64"))]
pub const STATE: usize = 7;

/// The tolerance is not reached.
pub const RUNNING: f64 = 0.0;
/// The residual is within the tolerance.
pub const CONVERGED: f64 = 1.0;
/// A product is not finite, or not positive where it must be: the residual is as small as it gets in single precision, or the
/// velocities were not finite.
pub const BROKEN: f64 = 2.0;

/// The scalars of a solve, and what blocks need to sum.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Scalars<'a> {
    /// [`STATE`] numbers.
    pub state: Out<'a, f64>,
    /// A number per block.
    pub partials: Out<'a, f64>,
    /// The blocks that are done.
    pub finished: Out<'a, u32>,
    /// The tolerance, squared.
    pub tolerance2: f64,
}
impl Scalars<'_> {
    /// Whether there is nothing more to do.
    #[inline(always)]
    pub fn done(&self) -> bool {
        self.state.get(OUTCOME) != RUNNING
    }
    /// Gives the sum of all blocks' `part` to `then`, once. Collective.
    #[inline(always)]
    fn sum(&self, block: &Block, part: f64, then: impl Fn(f64)) {
        let (partials, finished) = (self.partials, self.finished);
        let last = block.single(|| {
            partials.set(block.index(), part);
            let before = atomic::fetch_add(finished, 0, 1, Order::AcqRel, Scope::Device);
            (before + 1 == block.count()) as u32
        });
        if last != 0 {
            let total = block.reduce(block.count(), 0.0, |i| partials.get(i), |a, b| a + b);
            block.single_nosync(|| {
                finished.set(0, 0);
                then(total);
            });
        }
    }
    /// Begins with `part` of r·r of the first residual. Collective.
    #[inline(always)]
    pub fn begin(&self, block: &Block, part: f64) {
        let state = self.state;
        self.sum(block, part, |rr| {
            state.set(RR, rr);
            state.set(RR_FIRST, rr);
            state.set(RZ, 0.0);
            state.set(ALPHA, 0.0);
            state.set(BETA, 0.0);
            state.set(ITERATIONS, 0.0);
            state.set(OUTCOME, if rr == 0.0 { CONVERGED } else { running_if(rr.is_finite()) });
        });
    }
}
#[inline(always)]
fn running_if(sound: bool) -> f64 {
    if sound { RUNNING } else { BROKEN }
}
/// In `f64`.
#[inline(always)]
pub fn square(x: f32) -> f64 {
    x as f64 * x as f64
}
/// The part of a flat array that belongs to a block of a launch of one block for each tile.
#[inline(always)]
fn part_of(block: &Block, n: u32) -> (u32, u32) {
    let base = TILE * block.index();
    (base, if n - base < TILE { n - base } else { TILE })
}

/// r·z, and β.
#[kernel(threads = 256)]
pub fn weigh<'a>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    diagonal: In<'a, f32>,
    r: In<'a, f32>,
    z: In<'a, f32>,
) {
    if scalars.done() {
        return;
    }
    let (base, len) = part_of(block, n);
    let of = |i: u32| {
        let c = base + i;
        if diagonal.get(c) > 0.0 { r.get(c) as f64 * z.get(c) as f64 } else { 0.0 }
    };
    let part = block.reduce(len, 0.0, of, |a, b| a + b);
    let state = scalars.state;
    scalars.sum(block, part, |rz| {
        let before = state.get(RZ);
        state.set(BETA, if before > 0.0 { rz / before } else { 0.0 });
        state.set(RZ, rz);
        state.set(OUTCOME, running_if(rz > 0.0 && rz.is_finite()));
    });
}

/// p = z + β p into another array, q = A p, p·q and α. A block reads the old direction of others' cells, not the new one.
#[kernel(threads = 256)]
pub fn direction<'a>(
    block: &Block,
    level: Level<'a>,
    scalars: Scalars<'a>,
    z: In<'a, f32>,
    old: In<'a, f32>,
    p: Out<'a, f32>,
    q: Out<'a, f32>,
) {
    if scalars.done() {
        return;
    }
    let beta = scalars.state.get(BETA) as f32;
    let (base, len) = part_of(block, level.count());
    // without a last direction, the array may hold anything
    let of_cell = |c: u32| if beta == 0.0 { z.get(c) } else { z.get(c) + beta * old.get(c) };
    let of = |i: u32| {
        let c = base + i;
        let diagonal = level.diagonal.get(c);
        if diagonal == 0.0 {
            return 0.0;
        }
        let here = of_cell(c);
        let product = diagonal * here - level.around(c, level.of(c), |other, _| of_cell(other));
        p.set(c, here);
        q.set(c, product);
        here as f64 * product as f64
    };
    let part = block.reduce(len, 0.0, of, |a, b| a + b);
    let state = scalars.state;
    scalars.sum(block, part, |pq| {
        let alpha = state.get(RZ) / pq;
        // α becomes a number of 32 bits
        state.set(ALPHA, alpha);
        state.set(OUTCOME, running_if(pq > 0.0 && (alpha as f32).is_finite()));
    });
}

/// d += α p, r -= α q, and r·r.
#[kernel(threads = 256)]
pub fn advance<'a>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    diagonal: In<'a, f32>,
    p: In<'a, f32>,
    q: In<'a, f32>,
    d: Out<'a, f32>,
    r: Out<'a, f32>,
) {
    if scalars.done() {
        return;
    }
    let alpha = scalars.state.get(ALPHA) as f32;
    let (base, len) = part_of(block, n);
    let of = |i: u32| {
        let c = base + i;
        if diagonal.get(c) == 0.0 {
            return 0.0;
        }
        d.set(c, d.get(c) + alpha * p.get(c));
        let left = r.get(c) - alpha * q.get(c);
        r.set(c, left);
        square(left)
    };
    let part = block.reduce(len, 0.0, of, |a, b| a + b);
    let (state, tolerance2) = (scalars.state, scalars.tolerance2);
    scalars.sum(block, part, |rr| {
        state.set(RR, rr);
        state.set(ITERATIONS, state.get(ITERATIONS) + 1.0);
        let within = rr <= tolerance2 * state.get(RR_FIRST);
        state.set(OUTCOME, if within { CONVERGED } else { running_if(rr.is_finite()) });
    });
}
