//! Conjugate gradients with scalars that stay on the device (Hestenes and Stiefel 1952): the parts that kernels share.
//!
//! An iteration is a product q = A p and three launches: `step` ends with α = r·z / p·q; [`update`] computes x += α p, r -= α q
//! and z = M r, and ends with β, the quotient of r·z and the last one, and with r·r; `direction` computes p = z + β p. Scalar
//! products are those of the numbers of which vectors consist, in `f64`; the block that finishes last adds the blocks' sums in their
//! order.
use super::components::{combine, inner};
use super::entry::{Entry, Real};
use super::stored::{Access, Parts, Read, Whole, Written};
use bytemuck::Pod;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, Out, Parameter, TILE};

/// The squared length of the residual.
pub const RR: u32 = 0;
/// The squared length that the residual has to reach.
pub const TARGET: u32 = 1;
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
/// A product is not finite, or not positive where it must be.
pub const BROKEN: f64 = 2.0;

/// The scalars of a solve, and what blocks need to sum.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Scalars<'a> {
    /// The state: seven numbers.
    pub state: Out<'a, f64>,
    /// Two numbers per block.
    pub partials: Out<'a, [f64; 2]>,
    /// The blocks that are done.
    pub finished: Out<'a, u32>,
}
impl Scalars<'_> {
    /// Whether there is nothing more to do.
    #[inline(always)]
    pub fn done(&self) -> bool {
        self.state.get(OUTCOME) != RUNNING
    }
    /// Gives the sums of all blocks' parts to `then`, once. Collective.
    #[inline(always)]
    pub fn sum(&self, block: &Block, part: [f64; 2], then: impl Fn([f64; 2])) {
        let (partials, finished) = (self.partials, self.finished);
        let last = block.single(|| {
            partials.set(block.index(), part);
            let before = atomic::fetch_add(finished, 0, 1, Order::AcqRel, Scope::Device);
            (before + 1 == block.count()) as u32
        });
        if last != 0 {
            let total = block.reduce(block.count(), [0.0; 2], |i| partials.get(i), add);
            block.single_nosync(|| {
                finished.set(0, 0);
                then(total);
            });
        }
    }
}
#[inline(always)]
fn add(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}
/// [`RUNNING`], unless something is wrong.
#[inline(always)]
pub fn running_if(sound: bool) -> f64 {
    if sound { RUNNING } else { BROKEN }
}

/// What [`update`] reads and writes.
#[repr(C)]
#[derive(Parameter)]
pub struct Iterate<'a, E: Pod, T: Pod, R: Pod> {
    /// Elements of a vector.
    pub n: u32,
    /// 1 before the first iteration: solution and residual stay, and z and the scalars are made of the residual.
    pub first: u32,
    /// The inverse of the matrix's diagonal; without elements, z is the residual.
    pub inverse: In<'a, E>,
    /// The direction.
    pub p: Read<'a, T, R>,
    /// The product of the matrix with it.
    pub q: Read<'a, T, R>,
    /// The solution.
    pub x: Written<'a, T, R>,
    /// The residual.
    pub r: Written<'a, T, R>,
    /// The residual, preconditioned; not written without `inverse`.
    pub z: Written<'a, T, R>,
}
impl<E: Pod, T: Pod, R: Pod> Clone for Iterate<'_, E, T, R> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Pod, T: Pod, R: Pod> Copy for Iterate<'_, E, T, R> {}

/// x += α p, r -= α q, z = M r; β and r·r. Blocks: tiles. Collective.
#[inline(always)]
pub fn update<E: Entry>(block: &Block, iterate: Iterate<'_, E, E::Element, E::Real>, scalars: Scalars<'_>) {
    if scalars.done() {
        return;
    }
    match iterate.p.split {
        0 => update_by::<E, Whole>(block, iterate, scalars),
        _ => update_by::<E, Parts>(block, iterate, scalars),
    }
}
#[inline(always)]
fn update_by<E: Entry, A: Access>(
    block: &Block,
    iterate: Iterate<'_, E, E::Element, E::Real>,
    scalars: Scalars<'_>,
) {
    let Iterate { n, first, inverse, p, q, x, r, z } = iterate;
    let (state, one) = (scalars.state, E::Real::ONE);
    let alpha = E::Real::from_f64(state.get(ALPHA));
    let base = TILE * block.index();
    let len = if n - base < TILE { n - base } else { TILE };
    let of = |i: u32| {
        let i = base + i;
        let mut left: E::Element = A::reload(&r, i);
        if first == 0 {
            A::set(&x, i, combine(alpha, A::get(&p, i), one, A::reload(&x, i)));
            left = combine(-alpha, A::get(&q, i), one, left);
            A::set(&r, i, left);
        }
        let square = inner::<_, E::Real>(left, left);
        if inverse.is_empty() {
            return [square, square];
        }
        let better = super::components::load(inverse, i).times(left);
        A::set(&z, i, better);
        [square, inner::<_, E::Real>(left, better)]
    };
    let part = block.reduce(len, [0.0; 2], of, add);
    scalars.sum(block, part, |[rr, rz]| {
        let before = state.get(RZ);
        state.set(RR, rr);
        state.set(RZ, rz);
        state.set(BETA, if first != 0 { 0.0 } else { rz / before });
        if first == 0 {
            state.set(ITERATIONS, state.get(ITERATIONS) + 1.0);
        }
        let within = rr <= state.get(TARGET);
        let sound = rr.is_finite() && rz.is_finite() && rz > 0.0;
        state.set(OUTCOME, if within { CONVERGED } else { running_if(sound) });
    });
}
