//! The scalars of conjugate gradients, on the device.
use super::value::Real;
use bytemuck::Pod;
use ribbonmesh::device::{Block, In, Out, Parameter};

/// The squared length of the residual.
pub const RR: u32 = 0;
/// The number to which the tolerance is relative: the squared length of the first residual, or of the
/// right-hand side.
pub const REFERENCE: u32 = 1;
/// The product of the residual and the preconditioned one.
const RZ: u32 = 2;
/// The same of the last iteration, where the preconditioner has launches of its own; 0 before.
const WEIGHED: u32 = 3;
/// The step along the direction.
const ALPHA: u32 = 4;
/// The factor β of the last direction.
const BETA: u32 = 5;
/// Iterations done.
pub const ITERATIONS: u32 = 6;
/// [`RUNNING`], [`CONVERGED`] or [`BROKEN`].
pub const OUTCOME: u32 = 7;
/// Numbers of a state.
#[cfg(not(target_arch = "nvptx64"))]
pub const STATE: usize = 8;

/// The tolerance is not reached.
pub const RUNNING: f64 = 0.0;
/// The residual is within the tolerance.
pub const CONVERGED: f64 = 1.0;
/// A product is not finite, or not positive where it must be.
pub const BROKEN: f64 = 2.0;

/// Whether a solve continues, from its state. If not, a kernel may skip the rest of its work.
#[inline(always)]
pub fn running(state: In<'_, f64>) -> bool {
    state.get(OUTCOME) == RUNNING
}
/// The factor β of the last direction, from the state.
#[inline(always)]
pub fn beta<R: Real>(state: In<'_, f64>) -> R {
    R::from_f64(state.get(BETA))
}
#[inline(always)]
fn running_if(sound: bool) -> f64 {
    if sound { RUNNING } else { BROKEN }
}

/// Sums of one pass over residuals.
pub trait Sums: Pod {
    /// Nothing.
    const ZERO: Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// r · r.
    fn rr(self) -> f64;
    /// r · z.
    fn rz(self) -> f64;
}
/// r · r, where the preconditioned residual is the residual, or is made later.
impl Sums for f64 {
    const ZERO: Self = 0.0;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn rr(self) -> f64 {
        self
    }
    #[inline(always)]
    fn rz(self) -> f64 {
        self
    }
}
/// r · r and r · z.
impl Sums for [f64; 2] {
    const ZERO: Self = [0.0; 2];
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        [self[0] + other[0], self[1] + other[1]]
    }
    #[inline(always)]
    fn rr(self) -> f64 {
        self[0]
    }
    #[inline(always)]
    fn rz(self) -> f64 {
        self[1]
    }
}

/// The scalars of a solve, and the memory in which blocks sum. An iteration calls, each at the end of a
/// kernel: [`Scalars::weigh`] where the preconditioner has launches of its own, [`Scalars::step`],
/// [`Scalars::residual`].
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Scalars<'a> {
    state: Out<'a, f64>,
    partials: Out<'a, f64>,
    arrived: Out<'a, u32>,
    tolerance2: f64,
}
impl Scalars<'_> {
    /// Whether there is nothing more to do.
    #[inline(always)]
    pub fn done(&self) -> bool {
        self.state.get(OUTCOME) != RUNNING
    }
    /// The step along the direction.
    #[inline(always)]
    pub fn alpha<R: Real>(&self) -> R {
        R::from_f64(self.state.get(ALPHA))
    }
    /// The factor β of the last direction; 0 in the first iteration.
    #[inline(always)]
    pub fn beta<R: Real>(&self) -> R {
        R::from_f64(self.state.get(BETA))
    }
    /// Gives the sums of all blocks to `then`, once: the block that comes last adds them in their order.
    /// Collective.
    #[inline(always)]
    fn sum<S: Sums>(&self, block: &Block, part: S, then: impl Fn(S)) {
        block.reduce_blocks(part, S::ZERO, (self.partials.wide(), self.arrived), S::plus, then);
    }
    #[inline(always)]
    fn first<S: Sums>(&self, sums: S, outcome: f64) {
        let state = self.state;
        state.set(RR, sums.rr());
        state.set(RZ, sums.rz());
        state.set(WEIGHED, 0.0);
        state.set(ALPHA, 0.0);
        state.set(BETA, 0.0);
        state.set(ITERATIONS, 0.0);
        state.set(OUTCOME, outcome);
    }
    #[inline(always)]
    fn sound<S: Sums>(sums: S) -> bool {
        sums.rr().is_finite() && sums.rz() > 0.0 && sums.rz().is_finite()
    }
    /// Whether the residual is as small as it has to be.
    #[inline(always)]
    fn within<S: Sums>(&self, sums: S) -> bool {
        sums.rr() <= self.tolerance2 * self.state.get(REFERENCE)
    }
    /// Begins with a block's part of the sums over the first residual, to which the tolerance relates.
    /// Collective.
    #[inline(always)]
    pub fn begin<S: Sums>(&self, block: &Block, part: S) {
        self.sum(block, part, |sums| {
            self.state.set(REFERENCE, sums.rr());
            self.first(sums, if sums.rr() == 0.0 { CONVERGED } else { running_if(Self::sound(sums)) });
        });
    }
    /// As [`Scalars::begin`], with a reference that the state has already. Collective.
    #[inline(always)]
    pub fn begin_relative<S: Sums>(&self, block: &Block, part: S) {
        self.sum(block, part, |sums| {
            self.first(sums, if self.within(sums) { CONVERGED } else { running_if(Self::sound(sums)) });
        });
    }
    /// β from a block's part of r · z. Collective.
    #[inline(always)]
    pub fn weigh(&self, block: &Block, part: f64) {
        self.sum(block, part, |rz| {
            let (state, before) = (self.state, self.state.get(WEIGHED));
            state.set(BETA, if before == 0.0 { 0.0 } else { rz / before });
            state.set(RZ, rz);
            state.set(WEIGHED, rz);
            state.set(OUTCOME, running_if(rz > 0.0 && rz.is_finite()));
        });
    }
    /// α from a block's part of p · q, for vectors of numbers of type `R`. Collective.
    #[inline(always)]
    pub fn step<R: Real>(&self, block: &Block, part: f64) {
        self.sum(block, part, |pq| {
            let alpha = self.state.get(RZ) / pq;
            self.state.set(ALPHA, alpha);
            // α becomes a number of the vectors
            let sound = pq > 0.0 && R::from_f64(alpha).to_f64().is_finite();
            self.state.set(OUTCOME, running_if(sound));
        });
    }
    /// Ends an iteration with a block's part of the sums over the residual: the outcome, and a β that
    /// [`Scalars::weigh`] replaces. Collective.
    #[inline(always)]
    pub fn residual<S: Sums>(&self, block: &Block, part: S) {
        let state = self.state;
        self.sum(block, part, |sums| {
            state.set(BETA, sums.rz() / state.get(RZ));
            state.set(RZ, sums.rz());
            state.set(RR, sums.rr());
            state.set(ITERATIONS, state.get(ITERATIONS) + 1.0);
            state.set(OUTCOME, if self.within(sums) { CONVERGED } else { running_if(Self::sound(sums)) });
        });
    }
    /// Sets the reference to the sum of all blocks' parts. Collective.
    #[inline(always)]
    pub fn refer(&self, block: &Block, part: f64) {
        self.sum(block, part, |sum| self.state.set(REFERENCE, sum));
    }
}
#[cfg(not(target_arch = "nvptx64"))]
impl<'a> ScalarsArguments<'a> {
    /// Scalars in these buffers.
    pub(crate) fn new(
        state: ribbonmesh::device::BufferViewMut<'a, f64>,
        partials: ribbonmesh::device::BufferViewMut<'a, f64>,
        arrived: ribbonmesh::device::BufferViewMut<'a, u32>,
        tolerance2: f64,
    ) -> Self {
        Self { state, partials, arrived, tolerance2 }
    }
}
