//! Mean curvature flow with uniform weights over directed edges (thesis 4.5.1): conjugate gradients whose
//! matrix is not stored. Scalars stay on the device; sums of products are in `f64`, the last block adds the
//! sums of all.
use crate::HalfEdges;
use crate::each::each;
use ribbonmesh::device::{Block, In, Out, Parameter, Vec3, kernel};

/// Squared length of the residual.
pub const RR: u32 = 0;
/// The step along the direction.
pub const ALPHA: u32 = 1;
/// Factor of the last direction.
pub const BETA: u32 = 2;

/// The scalars, and the memory in which blocks sum.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Sums<'a> {
    /// Three numbers: [`RR`], [`ALPHA`], [`BETA`].
    pub state: Out<'a, f64>,
    /// A number per block.
    pub partials: Out<'a, f64>,
    /// Arrivals of blocks: `GROUPED_ARRIVALS` words.
    pub finished: Out<'a, u32>,
}
impl Sums<'_> {
    /// Gives the sum of all blocks' parts to `then`, once. Collective.
    #[inline(always)]
    fn of(&self, block: &Block, part: f64, then: impl Fn(f64)) {
        block.reduce_blocks(part, 0.0, (self.partials, self.finished), |a, b| a + b, then);
    }
}

#[inline(always)]
fn dot(a: Vec3, b: Vec3) -> f64 {
    a.x as f64 * b.x as f64 + a.y as f64 * b.y as f64 + a.z as f64 * b.z as f64
}
/// The sum of `f` over the block's elements of `n`. Collective.
#[inline(always)]
fn sum(block: &Block, n: u32, f: impl Fn(u32) -> f64) -> f64 {
    let first = crate::THREADS * block.index();
    let own = if n - first < crate::THREADS { n - first } else { crate::THREADS };
    block.reduce(own, 0.0, |i| f(first + i), |a, b| a + b)
}

/// p = r + β p.
#[kernel(threads = 256)]
pub fn pde_direction<'a>(block: &Block, n: u32, state: In<'a, f64>, r: In<'a, Vec3>, p: Out<'a, Vec3>) {
    let beta = state.get(BETA) as f32;
    each(block, n, |v| p.set(v, r.get(v) + beta * p.get(v)));
}

/// q = (M + t L) p with unit masses and uniform weights; α from p · q.
#[kernel(threads = 256)]
pub fn pde_multiply<'a>(
    block: &Block,
    mesh: HalfEdges<'a>,
    n: u32,
    step: f32,
    p: In<'a, Vec3>,
    q: Out<'a, Vec3>,
    sums: Sums<'a>,
) {
    let part = sum(block, n, |v| {
        let own = p.get(v);
        let mut around = Vec3::ZERO;
        mesh.around(v, |half| around += own - p.get(mesh.targets.get(half)));
        let product = own + step * around;
        q.set(v, product);
        dot(own, product)
    });
    let state = sums.state;
    sums.of(block, part, |pq| state.set(ALPHA, if pq > 0.0 { state.get(RR) / pq } else { 0.0 }));
}

/// x += α p, r -= α q; β from the residual.
#[kernel(threads = 256)]
pub fn pde_advance<'a>(
    block: &Block,
    n: u32,
    p: In<'a, Vec3>,
    q: In<'a, Vec3>,
    x: Out<'a, Vec3>,
    r: Out<'a, Vec3>,
    sums: Sums<'a>,
) {
    let alpha = sums.state.get(ALPHA) as f32;
    let part = sum(block, n, |v| {
        x.set(v, x.get(v) + alpha * p.get(v));
        let left = r.get(v) - alpha * q.get(v);
        r.set(v, left);
        dot(left, left)
    });
    let state = sums.state;
    sums.of(block, part, |rr| {
        let before = state.get(RR);
        state.set(BETA, if before > 0.0 { rr / before } else { 0.0 });
        state.set(RR, rr);
    });
}

/// The first residual: r = x - (M + t L) x, p = 0; r · r.
#[kernel(threads = 256)]
pub fn pde_residual<'a>(
    block: &Block,
    mesh: HalfEdges<'a>,
    n: u32,
    step: f32,
    x: In<'a, Vec3>,
    p: Out<'a, Vec3>,
    r: Out<'a, Vec3>,
    sums: Sums<'a>,
) {
    let part = sum(block, n, |v| {
        let own = x.get(v);
        let mut around = Vec3::ZERO;
        mesh.around(v, |half| around += x.get(mesh.targets.get(half)) - own);
        let left = step * around;
        r.set(v, left);
        p.set(v, Vec3::ZERO);
        dot(left, left)
    });
    let state = sums.state;
    sums.of(block, part, |rr| {
        state.set(RR, rr);
        state.set(BETA, 0.0);
    });
}
