//! Conjugate gradients over nodes with fixed unknowns: the steps of `ribbonmesh-linear` with the product of a
//! matrix, and with a preconditioner of blocks (block Jacobi) that is computed with the residual. Vectors and
//! sums are in double precision, whatever that of the matrix.
//!
//! The matrix keeps the rows of fixed unknowns: residuals and directions are 0 there (Ascher and Boxerman
//! 2003), so that the same matrix gives the reactions.
use super::matrix::{MatrixView, ROWS, address, for_each_row, read};
use super::real::{Entry, Real};
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_linear as linear;
use ribbonmesh_linear::{Moved, Part, Read, Scalars, Turned, Value, Write};

/// Unknowns of nodes that are fixed: bit k of a node's word is unknown k.
#[inline(always)]
fn free(fixed: u32, [a, b, c]: [f64; 3]) -> [f64; 3] {
    let one = |k: u32, value: f64| if fixed >> k & 1 == 1 { 0.0 } else { value };
    [one(0, a), one(1, b), one(2, c)]
}
/// Numbers of the inverse of a block of `size`: its upper half.
#[inline(always)]
pub const fn inverse_numbers(size: u32) -> u32 {
    size * (size + 1) / 2
}

/// A vector by nodes, which have one unknown or three.
#[derive(Clone, Copy)]
struct Nodes<V> {
    size: u32,
    of: V,
}
impl<V: Read<Value = f64>> Read for Nodes<V> {
    type Value = [f64; 3];
    #[inline(always)]
    fn get(self, node: u32) -> [f64; 3] {
        let at = |k: u32| self.of.get(k);
        if self.size == 1 { [at(node), 0.0, 0.0] } else { [at(3 * node), at(3 * node + 1), at(3 * node + 2)] }
    }
}
impl<V: Write<Value = f64>> Write for Nodes<V> {
    #[inline(always)]
    fn set(self, node: u32, [a, b, c]: [f64; 3]) {
        self.of.set(self.size * node, a);
        if self.size == 3 {
            self.of.set(3 * node + 1, b);
            self.of.set(3 * node + 2, c);
        }
    }
}

/// Inverted blocks of the diagonal.
#[derive(Clone, Copy)]
struct Inverse<'a> {
    size: u32,
    /// Empty where the preconditioner is another one.
    blocks: In<'a, f32>,
}
impl Inverse<'_> {
    /// A block times a node's values.
    #[inline(always)]
    fn times(self, node: u32, r: [f64; 3]) -> [f64; 3] {
        let at = |k: u32| self.blocks.get(address(node, k, inverse_numbers(self.size))) as f64;
        if self.size == 1 {
            return [at(0) * r[0], 0.0, 0.0];
        }
        let [a, b, c, d, e, f] = [at(0), at(1), at(2), at(3), at(4), at(5)];
        [a * r[0] + b * r[1] + c * r[2], b * r[0] + d * r[1] + e * r[2], c * r[0] + e * r[1] + f * r[2]]
    }
    /// r · r and r · z of a node.
    #[inline(always)]
    fn weigh(self, node: u32, r: [f64; 3]) -> [f64; 2] {
        let z = if self.blocks.is_empty() { r } else { self.times(node, r) };
        [r.dot(r), r.dot(z)]
    }
}
/// A vector times the inverted blocks.
#[derive(Clone, Copy)]
struct Preconditioned<'a, V> {
    inverse: Inverse<'a>,
    of: V,
}
impl<V: Read<Value = [f64; 3]>> Read for Preconditioned<'_, V> {
    type Value = [f64; 3];
    #[inline(always)]
    fn get(self, node: u32) -> [f64; 3] {
        self.inverse.times(node, self.of.get(node))
    }
}

/// r = b - y where unknowns are free; the sums. Blocks: rows.
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
) {
    let inverse = Inverse { size, blocks: inverse };
    let (b, y, r) = (Nodes { size, of: b }, Nodes { size, of: y }, Nodes { size, of: r });
    let part = Part::of(block, n, ROWS).sum(block, |node| {
        let left = free(fixed.get(node), b.get(node).plus(-1.0, y.get(node)));
        r.set(node, left);
        inverse.weigh(node, left)
    });
    scalars.begin(block, part);
}
/// x += α p, r -= α q; r · r and r · z. Blocks: rows.
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
    let inverse = Inverse { size, blocks: inverse };
    let (p, q) = (Nodes { size, of: p }, Nodes { size, of: q });
    let moved = Moved { p, q, x: Nodes { size, of: x }, r: Nodes { size, of: r } };
    linear::advance(block, Part::of(block, n, ROWS), scalars, moved, |node, left| inverse.weigh(node, left));
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
    if !linear::running(state) {
        return;
    }
    let (inverse, last) = (Inverse { size, blocks: inverse }, Nodes { size, of: p });
    let z = Preconditioned { inverse, of: Nodes { size, of: r } };
    let direction = Turned { z, last, beta: linear::beta::<f64>(state) };
    for_each_row(block, n, |node| last.set(node, direction.get(node)));
}

/// Inverts a block of the diagonal without its fixed unknowns; `None` if that is not positive definite. Fixed
/// unknowns are as in the unit matrix.
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
            let y = Nodes { size: <Own as Entry>::SIZE, of: y };
            for_each_row(block, a.pattern.rows, |row| y.set(row, a.times::<Own>(row, x)));
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
            let (of_p, q) = (Nodes { size, of: p }, Nodes { size, of: q });
            let part = Part::of(block, a.pattern.rows, ROWS).sum(block, |row| {
                let own = free(fixed.get(row), a.times::<Own>(row, p));
                q.set(row, own);
                of_p.get(row).dot(own)
            });
            scalars.step::<f64>(block, part);
        }
        /// Inverses of the blocks of the diagonal; the smallest row without one is stored in `wrong[0]`.
        /// Blocks: rows.
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
