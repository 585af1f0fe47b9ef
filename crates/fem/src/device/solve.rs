//! Conjugate gradients with a preconditioner of blocks (block Jacobi), with fixed unknowns. Vectors and sums are in double precision,
//! whatever that of the matrix.
//!
//! The scalars stay on the device. The matrix keeps the rows of fixed unknowns: residuals and directions are 0 there (Ascher and
//! Boxerman 2003), so that the same matrix gives the reactions. An iteration is three launches: q = A p with p · q; x += α p and
//! r -= α q with r · z and r · r; p = z + β p. With a preconditioner of its own, such as multigrid, it is x += α p and r -= α q with
//! r · r; z; r · z; p = z + β p; q = A p with p · q.
use super::matrix::{MatrixView, address, for_each_row, read};
use super::real::{Entry, Real};
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// r · z.
pub const RZ: u32 = 0;
/// The squared length of the residual.
pub const RR: u32 = 1;
/// What the residual is compared with: the squared length of the right-hand side, or of the first residual.
pub const REFERENCE: u32 = 2;
/// The step along the direction.
pub const ALPHA: u32 = 3;
/// What is kept of the last direction.
pub const BETA: u32 = 4;
/// Iterations done.
pub const ITERATIONS: u32 = 5;
/// [`RUNNING`], [`CONVERGED`] or [`BROKEN`].
pub const OUTCOME: u32 = 6;
/// p · q of the last iteration.
pub const PQ: u32 = 7;
/// Numbers of a state.
#[cfg(not(target_arch = "nvptx64"))]
pub const STATE: usize = 8;
/// The tolerance is not reached.
pub const RUNNING: f64 = 0.0;
/// The residual is within the tolerance.
pub const CONVERGED: f64 = 1.0;
/// A sum is not finite, or not positive where it must be.
pub const BROKEN: f64 = 2.0;

/// The scalars of a solve, and what blocks need to sum.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Scalars<'a> {
    /// `STATE` numbers.
    pub state: Out<'a, f64>,
    /// Two numbers per block.
    pub partials: Out<'a, f64>,
    /// The blocks that are done.
    pub finished: Out<'a, u32>,
    /// The tolerance, squared.
    pub tolerance2: f64,
}
impl Scalars<'_> {
    /// The state of a new solution; `sound` says whether r · z may be what it is. One thread.
    #[inline(always)]
    fn begin(&self, rz: f64, rr: f64, sound: bool) {
        let state = self.state;
        state.set(RZ, rz);
        state.set(RR, rr);
        state.set(REFERENCE, rr);
        state.set(ALPHA, 0.0);
        state.set(BETA, 0.0);
        state.set(ITERATIONS, 0.0);
        state.set(OUTCOME, if rr == 0.0 { CONVERGED } else { running_if(rr.is_finite() && sound) });
    }
    /// The outcome of an iteration with such a residual.
    #[inline(always)]
    fn outcome(&self, rr: f64, sound: bool) -> f64 {
        let within = rr <= self.tolerance2 * self.state.get(REFERENCE);
        if within { CONVERGED } else { running_if(rr.is_finite() && sound) }
    }
    #[inline(always)]
    fn done(&self) -> bool {
        self.state.get(OUTCOME) != RUNNING
    }
    /// Gives the sums of all blocks' parts to `then`, once: the block that is last adds them in their order. Collective.
    #[inline(always)]
    fn sum(&self, block: &Block, part: [f64; 2], then: impl Fn(f64, f64)) {
        let (partials, finished) = (self.partials, self.finished);
        let last = block.single(|| {
            partials.set(2 * block.index(), part[0]);
            partials.set(2 * block.index() + 1, part[1]);
            let before = atomic::fetch_add(finished, 0, 1, Order::AcqRel, Scope::Device);
            (before + 1 == block.count()) as u32
        });
        if last != 0 {
            let each = |i: u32| [partials.get(2 * i), partials.get(2 * i + 1)];
            let [a, b] = block.reduce(block.count(), [0.0; 2], each, both);
            block.single_nosync(|| {
                finished.set(0, 0);
                then(a, b);
            });
        }
    }
}
#[inline(always)]
fn both(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}
#[inline(always)]
fn running_if(sound: bool) -> f64 {
    if sound { RUNNING } else { BROKEN }
}
/// The sum over the rows of this block.
#[inline(always)]
fn reduce_rows(block: &Block, n: u32, f: impl Fn(u32) -> [f64; 2]) -> [f64; 2] {
    let first = super::matrix::ROWS * block.index();
    let rest = n.saturating_sub(first);
    let len = if rest < super::matrix::ROWS { rest } else { super::matrix::ROWS };
    block.reduce(len, [0.0; 2], |i| f(first + i), both)
}

/// Unknowns of nodes that are fixed: bit k of a node's word is unknown k.
#[inline(always)]
fn free(fixed: u32, k: u32, value: f64) -> f64 {
    if fixed >> k & 1 == 1 { 0.0 } else { value }
}
/// Numbers of the inverse of a block of `size`: its upper half.
#[inline(always)]
pub const fn inverse_numbers(size: u32) -> u32 {
    size * (size + 1) / 2
}
/// A block of the preconditioner times a node's values.
#[inline(always)]
fn precondition(size: u32, inverse: In<'_, f32>, node: u32, r: [f64; 3]) -> [f64; 3] {
    let at = |k: u32| inverse.get(address(node, k, inverse_numbers(size))) as f64;
    if size == 1 {
        return [at(0) * r[0], 0.0, 0.0];
    }
    let [a, b, c, d, e, f] = [at(0), at(1), at(2), at(3), at(4), at(5)];
    [a * r[0] + b * r[1] + c * r[2], b * r[0] + d * r[1] + e * r[2], c * r[0] + e * r[1] + f * r[2]]
}
#[inline(always)]
fn values(size: u32, from: In<'_, f64>, node: u32) -> [f64; 3] {
    if size == 1 {
        [from.get(node), 0.0, 0.0]
    } else {
        [from.get(3 * node), from.get(3 * node + 1), from.get(3 * node + 2)]
    }
}
#[inline(always)]
fn own_values(size: u32, from: Out<'_, f64>, node: u32) -> [f64; 3] {
    if size == 1 {
        [from.get(node), 0.0, 0.0]
    } else {
        [from.get(3 * node), from.get(3 * node + 1), from.get(3 * node + 2)]
    }
}
#[inline(always)]
fn set_values(size: u32, to: Out<'_, f64>, node: u32, v: [f64; 3]) {
    to.set(size * node, v[0]);
    if size == 3 {
        to.set(3 * node + 1, v[1]);
        to.set(3 * node + 2, v[2]);
    }
}
#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// b - y of a node where its unknowns are free.
#[inline(always)]
fn left_at(fixed: u32, b: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [free(fixed, 0, b[0] - y[0]), free(fixed, 1, b[1] - y[1]), free(fixed, 2, b[2] - y[2])]
}
/// x += α p and r -= α q of a node; its residual.
#[inline(always)]
fn step(
    size: u32,
    node: u32,
    alpha: f64,
    p: In<'_, f64>,
    q: In<'_, f64>,
    x: Out<'_, f64>,
    r: Out<'_, f64>,
) -> [f64; 3] {
    let (p, q) = (values(size, p, node), values(size, q, node));
    let (from, before) = (own_values(size, x, node), own_values(size, r, node));
    set_values(size, x, node, [from[0] + alpha * p[0], from[1] + alpha * p[1], from[2] + alpha * p[2]]);
    let left = [before[0] - alpha * q[0], before[1] - alpha * q[1], before[2] - alpha * q[2]];
    set_values(size, r, node, left);
    left
}
/// p = z + β p of a node.
#[inline(always)]
fn turn_at(size: u32, node: u32, beta: f64, z: [f64; 3], p: Out<'_, f64>) {
    let last = own_values(size, p, node);
    set_values(size, p, node, [z[0] + beta * last[0], z[1] + beta * last[1], z[2] + beta * last[2]]);
}

/// r = b - y where unknowns are free, z and p; the sums. Blocks: rows.
#[kernel(threads = 128)]
pub fn begin<'a>(
    block: &Block,
    n: u32,
    size: u32,
    scalars: Scalars<'a>,
    fixed: In<'a, u32>,
    inverse: In<'a, f32>,
    b: In<'a, f64>,
    y: In<'a, f64>,
    r: Out<'a, f64>,
    p: Out<'a, f64>,
) {
    let part = reduce_rows(block, n, |node| {
        let left = left_at(fixed.get(node), values(size, b, node), values(size, y, node));
        let z = precondition(size, inverse, node, left);
        set_values(size, r, node, left);
        set_values(size, p, node, z);
        [dot(left, z), dot(left, left)]
    });
    scalars.sum(block, part, |rz, rr| scalars.begin(rz, rr, rz > 0.0));
}
/// x += α p, r -= α q; r · z and r · r. Blocks: rows.
#[kernel(threads = 128)]
pub fn advance<'a>(
    block: &Block,
    n: u32,
    size: u32,
    scalars: Scalars<'a>,
    inverse: In<'a, f32>,
    p: In<'a, f64>,
    q: In<'a, f64>,
    x: Out<'a, f64>,
    r: Out<'a, f64>,
) {
    if scalars.done() {
        return;
    }
    let state = scalars.state;
    let part = reduce_rows(block, n, |node| {
        let left = step(size, node, state.get(ALPHA), p, q, x, r);
        [dot(left, precondition(size, inverse, node, left)), dot(left, left)]
    });
    scalars.sum(block, part, |rz, rr| {
        state.set(BETA, rz / state.get(RZ));
        state.set(RZ, rz);
        state.set(RR, rr);
        state.set(ITERATIONS, state.get(ITERATIONS) + 1.0);
        state.set(OUTCOME, scalars.outcome(rr, rz > 0.0));
    });
}
/// p = z + β p. Blocks: rows.
#[kernel(threads = 128)]
pub fn turn<'a>(
    block: &Block,
    n: u32,
    size: u32,
    state: In<'a, f64>,
    inverse: In<'a, f32>,
    r: In<'a, f64>,
    p: Out<'a, f64>,
) {
    if state.get(OUTCOME) != RUNNING {
        return;
    }
    let beta = state.get(BETA);
    for_each_row(block, n, |node| {
        turn_at(size, node, beta, precondition(size, inverse, node, values(size, r, node)), p);
    });
}
/// r = b - y where unknowns are free, p = 0, for a preconditioner of its own; the sum. Blocks: rows.
#[kernel(threads = 128)]
pub fn begin_apart<'a>(
    block: &Block,
    n: u32,
    size: u32,
    scalars: Scalars<'a>,
    fixed: In<'a, u32>,
    b: In<'a, f64>,
    y: In<'a, f64>,
    r: Out<'a, f64>,
    p: Out<'a, f64>,
) {
    let part = reduce_rows(block, n, |node| {
        let left = left_at(fixed.get(node), values(size, b, node), values(size, y, node));
        set_values(size, r, node, left);
        set_values(size, p, node, [0.0; 3]);
        [dot(left, left), 0.0]
    });
    scalars.sum(block, part, |rr, _| scalars.begin(0.0, rr, true));
}
/// x += α p, r -= α q; r · r. Blocks: rows.
#[kernel(threads = 128)]
pub fn advance_apart<'a>(
    block: &Block,
    n: u32,
    size: u32,
    scalars: Scalars<'a>,
    p: In<'a, f64>,
    q: In<'a, f64>,
    x: Out<'a, f64>,
    r: Out<'a, f64>,
) {
    if scalars.done() {
        return;
    }
    let state = scalars.state;
    let part = reduce_rows(block, n, |node| {
        let left = step(size, node, state.get(ALPHA), p, q, x, r);
        [dot(left, left), 0.0]
    });
    scalars.sum(block, part, |rr, _| {
        state.set(RR, rr);
        state.set(ITERATIONS, state.get(ITERATIONS) + 1.0);
        state.set(OUTCOME, scalars.outcome(rr, true));
    });
}
/// r · z, and what is kept of the last direction. Blocks: rows.
#[kernel(threads = 128)]
pub fn weigh<'a>(block: &Block, n: u32, size: u32, scalars: Scalars<'a>, r: In<'a, f64>, z: In<'a, f64>) {
    if scalars.done() {
        return;
    }
    let part = reduce_rows(block, n, |node| [dot(values(size, r, node), values(size, z, node)), 0.0]);
    let state = scalars.state;
    scalars.sum(block, part, |rz, _| {
        let before = state.get(RZ);
        state.set(BETA, if before == 0.0 { 0.0 } else { rz / before });
        state.set(RZ, rz);
        state.set(OUTCOME, running_if(rz > 0.0 && rz.is_finite()));
    });
}
/// p = z + β p. Blocks: rows.
#[kernel(threads = 128)]
pub fn turn_apart<'a>(block: &Block, n: u32, size: u32, state: In<'a, f64>, z: In<'a, f64>, p: Out<'a, f64>) {
    if state.get(OUTCOME) != RUNNING {
        return;
    }
    let beta = state.get(BETA);
    for_each_row(block, n, |node| {
        turn_at(size, node, beta, values(size, z, node), p);
    });
}
/// The dot product of two vectors into `state[0]`, in the order of blocks. Blocks: rows.
#[kernel(threads = 128)]
pub fn product<'a>(block: &Block, n: u32, size: u32, scalars: Scalars<'a>, a: In<'a, f64>, b: In<'a, f64>) {
    let part = reduce_rows(block, n, |node| [dot(values(size, a, node), values(size, b, node)), 0.0]);
    let state = scalars.state;
    scalars.sum(block, part, |sum, _| state.set(0, sum));
}

/// Inverts a block of the diagonal without its fixed unknowns; none if that is not positive definite. Fixed unknowns are as in the unit
/// matrix.
#[inline(always)]
fn inverse_of(size: u32, fixed: u32, a: impl Fn(u32, u32) -> f64) -> Option<[f64; 6]> {
    let at = |i: u32, j: u32| {
        if (fixed >> i | fixed >> j) & 1 == 1 { if i == j { 1.0 } else { 0.0 } } else { a(i, j) }
    };
    if size == 1 {
        let d = at(0, 0);
        return if d > 0.0 { Some([1.0 / d, 0.0, 0.0, 0.0, 0.0, 0.0]) } else { None };
    }
    let [a, b, c, d, e, f] = [at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)];
    let (first, second, third) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let minor = a * d - b * b;
    let determinant = a * first + b * second + c * third;
    if !(a > 0.0 && minor > 0.0 && determinant > 0.0) {
        return None;
    }
    let by = 1.0 / determinant;
    Some([by * first, by * second, by * third, by * (a * f - c * c), by * (b * c - a * e), by * minor])
}

macro_rules! matrix_kernels { ($($name:ident: $scalar:ident $numbers:literal;)*) => { $(
    /// Kernels for a kind of blocks.
    pub mod $name {
        use super::*;
        type Own = [$scalar; $numbers];
        /// y = A x. Blocks: rows.
        #[kernel(threads = 128, prefix = $name)]
        pub fn multiply<'a>(block: &Block, a: MatrixView<'a, $scalar>, x: In<'a, f64>, y: Out<'a, f64>) {
            for_each_row(block, a.pattern.rows, |row| {
                set_values(<Own as Entry>::SIZE, y, row, a.times::<Own>(row, x));
            });
        }
        /// q = A p where unknowns are free, else 0; α from p · q. Blocks: rows.
        #[kernel(threads = 128, prefix = $name)]
        pub fn direction<'a>(
            block: &Block,
            a: MatrixView<'a, $scalar>,
            scalars: Scalars<'a>,
            fixed: In<'a, u32>,
            p: In<'a, f64>,
            q: Out<'a, f64>,
        ) {
            if scalars.done() {
                return;
            }
            let size = <Own as Entry>::SIZE;
            let part = reduce_rows(block, a.pattern.rows, |row| {
                let (all, fixed) = (a.times::<Own>(row, p), fixed.get(row));
                let own = [free(fixed, 0, all[0]), free(fixed, 1, all[1]), free(fixed, 2, all[2])];
                set_values(size, q, row, own);
                [dot(values(size, p, row), own), 0.0]
            });
            let state = scalars.state;
            scalars.sum(block, part, |pq, _| {
                let alpha = state.get(RZ) / pq;
                state.set(ALPHA, alpha);
                state.set(PQ, pq);
                state.set(OUTCOME, running_if(pq > 0.0 && alpha.is_finite()));
            });
        }
        /// Inverses of the blocks of the diagonal; the smallest row without one goes to `wrong[0]`. Blocks: rows.
        #[kernel(threads = 128, prefix = $name)]
        pub fn invert<'a>(
            block: &Block,
            rows: u32,
            diagonal: In<'a, $scalar>,
            fixed: In<'a, u32>,
            to: Out<'a, f32>,
            wrong: Out<'a, u32>,
        ) {
            for_each_row(block, rows, |row| {
                let size = <Own as Entry>::SIZE;
                let own: Own = read(diagonal, row);
                let Some(inverse) = inverse_of(size, fixed.get(row), |i, j| own.part(size * i + j).to_f64()) else {
                    atomic::fetch_min(wrong, 0, row, Order::Relaxed, Scope::Device);
                    return;
                };
                let (mut k, numbers) = (0, inverse_numbers(size));
                while k < numbers {
                    to.set(address(row, k, numbers), inverse[k as usize] as f32);
                    k += 1;
                }
            });
        }
    }
)* } }
matrix_kernels! {
    one_f32: f32 1;
    one_f64: f64 1;
    three_f32: f32 9;
    three_f64: f64 9;
}
