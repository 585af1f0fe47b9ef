//! Conjugate gradients whose scalars stay on the device (Hestenes and Stiefel 1952; the loop of appendix E, Listing 4).
//!
//! One iteration is two launches. The first, one block per patch, stages p = r + β p, multiplies by the matrix, and ends
//! with α = r·r / p·Ap; the second goes through flat memory: d += α p, r -= α Ap, and ends with β. Products are summed in
//! `f64`, block by block; the block that is last to finish adds the blocks' sums in their order, so that the result is
//! the same every time.
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, Out, Parameter, Quad, kernel};

/// The squared length of the residual.
pub const RR: u32 = 0;
/// That of the first residual.
pub const RR_FIRST: u32 = 1;
/// The step along the direction.
pub const ALPHA: u32 = 2;
/// What is kept of the last direction.
pub const BETA: u32 = 3;
/// Iterations done.
pub const ITERATIONS: u32 = 4;
/// [`RUNNING`], [`CONVERGED`] or [`BROKEN`].
pub const OUTCOME: u32 = 5;
/// Numbers of a state.
#[cfg(not(target_arch = "nvptx64"))]
pub const STATE: usize = 6;

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
            state.set(ALPHA, 0.0);
            state.set(BETA, 0.0);
            state.set(ITERATIONS, 0.0);
            state.set(OUTCOME, if rr == 0.0 { CONVERGED } else { running_if(rr.is_finite()) });
        });
    }
    /// α from `part` of p·Ap. Collective.
    #[inline(always)]
    pub fn direction(&self, block: &Block, part: f64) {
        let state = self.state;
        self.sum(block, part, |pap| {
            let alpha = state.get(RR) / pap;
            // α becomes a number of 32 bits
            state.set(ALPHA, alpha);
            state.set(OUTCOME, running_if(pap > 0.0 && (alpha as f32).is_finite()));
        });
    }
    /// β from `part` of r·r. Collective.
    #[inline(always)]
    fn residual(&self, block: &Block, part: f64) {
        let (state, tolerance2) = (self.state, self.tolerance2);
        self.sum(block, part, |rr| {
            state.set(BETA, rr / state.get(RR));
            state.set(RR, rr);
            state.set(ITERATIONS, state.get(ITERATIONS) + 1.0);
            let within = rr == 0.0 || rr <= tolerance2 * state.get(RR_FIRST);
            state.set(OUTCOME, if within { CONVERGED } else { running_if(rr.is_finite()) });
        });
    }
}
#[inline(always)]
fn running_if(sound: bool) -> f64 {
    if sound { RUNNING } else { BROKEN }
}

/// 16-byte words that a block of [`advance()`] takes.
pub const CHUNK: u32 = 512;
/// Blocks of [`advance()`] for so many vertices.
#[cfg(not(target_arch = "nvptx64"))]
pub fn chunks(vertices: u32) -> u32 {
    (3 * vertices).div_ceil(4 * CHUNK)
}

/// d += α p, r -= α q for `vertices` vectors; β from r·r. [`chunks`] blocks.
#[kernel(threads = 256)]
pub fn advance<'a>(
    block: &Block,
    vertices: u32,
    scalars: Scalars<'a>,
    p: In<'a, Vec3>,
    q: In<'a, Vec3>,
    d: Out<'a, Vec3>,
    r: Out<'a, Vec3>,
) {
    if scalars.done() {
        return;
    }
    let alpha = scalars.state.get(ALPHA) as f32;
    let (words, first) = (3 * vertices, CHUNK * block.index());
    let rest = words.div_ceil(4) - first;
    let n = if rest < CHUNK { rest } else { CHUNK };
    let part = block.reduce(
        n,
        0.0,
        |i| {
            let i = first + i;
            let words_of = (p.wide::<f32>(), q.wide::<f32>(), d.wide::<f32>(), r.wide::<f32>());
            let (d, r) = (d.wide::<Quad>(), r.wide::<Quad>());
            if 4 * i + 4 <= words {
                let (p, q, to, from) =
                    (p.wide::<Quad>().get(i).0, q.wide::<Quad>().get(i).0, d.get(i).0, r.get(i).0);
                let moved = |k: usize| f32::from_bits(to[k]) + alpha * f32::from_bits(p[k]);
                let left = |k: usize| f32::from_bits(from[k]) - alpha * f32::from_bits(q[k]);
                let r0 = [left(0), left(1), left(2), left(3)];
                d.set(i, Quad([moved(0), moved(1), moved(2), moved(3)].map(f32::to_bits)));
                r.set(i, Quad(r0.map(f32::to_bits)));
                return square(r0[0]) + square(r0[1]) + (square(r0[2]) + square(r0[3]));
            }
            let mut sum = 0.0;
            let mut w = 4 * i;
            let (p, q, d, r) = words_of;
            while w < words {
                d.set(w, d.get(w) + alpha * p.get(w));
                let left = r.get(w) - alpha * q.get(w);
                r.set(w, left);
                sum += square(left);
                w += 1;
            }
            sum
        },
        |a, b| a + b,
    );
    scalars.residual(block, part);
}
#[inline(always)]
fn square(x: f32) -> f64 {
    x as f64 * x as f64
}
/// a · b in `f64`.
#[inline(always)]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a.x as f64 * b.x as f64 + a.y as f64 * b.y as f64 + a.z as f64 * b.z as f64
}
