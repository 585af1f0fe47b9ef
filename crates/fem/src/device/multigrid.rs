//! A cycle of multigrid: products with matrices of rectangular blocks, and Chebyshev's iteration on blocks of
//! the diagonal. Numbers of these matrices are in single precision, vectors in double precision. A thread
//! computes one number of a vector.
use super::matrix::for_each_row;
use ribbonmesh::device::{Block, In, Out, kernel};

/// y = A x, or y += A x if `add` is not 0, for a matrix of blocks of `height` rows and `width` columns, which
/// are stored row by row. Blocks: numbers of y.
#[kernel(threads = 128)]
pub fn multiply_blocks<'a>(
    block: &Block,
    numbers: u32,
    height: u32,
    width: u32,
    add: u32,
    offsets: In<'a, u32>,
    columns: In<'a, u32>,
    values: In<'a, f32>,
    x: In<'a, f64>,
    y: Out<'a, f64>,
) {
    for_each_row(block, numbers, |number| {
        let (row, i) = (number / height, number % height);
        let (mut place, end) = (offsets.get(row), offsets.get(row + 1));
        let mut sum = if add == 0 { 0.0 } else { y.get(number) };
        while place < end {
            let (own, from) = ((place * height + i) * width, width * columns.get(place));
            let mut j = 0;
            while j < width {
                sum += values.get(own + j) as f64 * x.get(from + j);
                j += 1;
            }
            place += 1;
        }
        y.set(number, sum);
    });
}

/// In [`relax`]: subtract A d from the residual.
pub const SUBTRACT: u32 = 1;
/// In [`relax`]: add to x, which is set otherwise.
pub const ADD: u32 = 2;

/// A step of Chebyshev's iteration: the residual, `to = from - t`; the step, d = keep d + by D⁻¹ to; x += d.
/// `inverse` has the inverted blocks of the diagonal, row by row, with zeros where unknowns are fixed.
/// Blocks: numbers.
#[kernel(threads = 128)]
pub fn relax<'a>(
    block: &Block,
    numbers: u32,
    size: u32,
    keep: f64,
    by: f64,
    what: u32,
    inverse: In<'a, f32>,
    from: In<'a, f64>,
    t: In<'a, f64>,
    to: Out<'a, f64>,
    d: Out<'a, f64>,
    x: Out<'a, f64>,
) {
    for_each_row(block, numbers, |number| {
        let left = |i: u32| if what & SUBTRACT == 0 { from.get(i) } else { from.get(i) - t.get(i) };
        let first = number - number % size;
        let (mut sum, mut j) = (0.0, 0);
        while j < size {
            sum += inverse.get(number * size + j) as f64 * left(first + j);
            j += 1;
        }
        to.set(number, left(number));
        let step = if keep == 0.0 { by * sum } else { keep * d.get(number) + by * sum };
        d.set(number, step);
        x.set(number, if what & ADD == 0 { step } else { x.get(number) + step });
    });
}

/// to = b - t. Blocks: numbers.
#[kernel(threads = 128)]
pub fn subtract<'a>(block: &Block, numbers: u32, b: In<'a, f64>, t: In<'a, f64>, to: Out<'a, f64>) {
    for_each_row(block, numbers, |i| to.set(i, b.get(i) - t.get(i)));
}
