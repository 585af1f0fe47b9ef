//! A cycle: products with matrices of rectangular blocks, and Chebyshev's iteration on blocks of the
//! diagonal. Sums are in double precision. Vectors have several lanes: number `l` of unknown `i` is at `i
//! lanes + l`. A thread computes one number of a vector; in kernels with `fours` four neighbouring ones,
//! where `fours` is a fourth of the lanes. Each number has the same sums in both, in the same order.
use super::rows::{Rows, for_each_row};
use super::together::Together;
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};
use ribbonmesh_linear::{Real, running};

/// Whether the solve has ended whose state this is; never without a state.
#[inline(always)]
pub fn ended(state: In<'_, f64>) -> bool {
    !state.is_empty() && !running(state)
}

/// y = A x.
pub const SET: u32 = 0;
/// y += A x.
pub const ADD: u32 = 1;
/// y = b - A x.
pub const SUBTRACT: u32 = 2;

/// y = A x, y += A x, or y = b - A x, for a matrix of blocks of `height` rows and `width` columns, which are
/// stored row by row. Blocks: numbers of y.
#[kernel(for (V, M) in [(f32, f32), (f32, f64), (f64, f32), (f64, f64)], threads = 128)]
pub fn multiply_blocks<'a, V: Real, M: Real>(
    block: &Block,
    numbers: u32,
    height: u32,
    width: u32,
    lanes: u32,
    what: u32,
    state: In<'a, f64>,
    rows: Rows<'a>,
    values: In<'a, M>,
    x: In<'a, V>,
    b: In<'a, V>,
    y: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, numbers, |i| {
        multiply_row::<f64, V, M>(i, height, width, lanes, what, rows, values, x, b, y)
    });
}

/// [`multiply_blocks`] by fours. Blocks: fours of y.
#[kernel(for (V, M) in [(f32, f32), (f32, f64), (f64, f32), (f64, f64)], threads = 128)]
pub fn multiply_fours<'a, V: Real, M: Real>(
    block: &Block,
    quads: u32,
    height: u32,
    width: u32,
    fours: u32,
    what: u32,
    state: In<'a, f64>,
    rows: Rows<'a>,
    values: In<'a, M>,
    x: In<'a, V>,
    b: In<'a, V>,
    y: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, quads, |i| {
        multiply_row::<[f64; 4], V, M>(i, height, width, fours, what, rows, values, x, b, y)
    });
}

/// Numbers of a product.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the arguments of kernels, which are not passed at run time")]
fn multiply_row<N: Together, V: Real, M: Real>(
    at: u32,
    height: u32,
    width: u32,
    lanes: u32,
    what: u32,
    rows: Rows<'_>,
    values: In<'_, M>,
    x: In<'_, V>,
    b: In<'_, V>,
    y: Out<'_, V>,
) {
    let (unknown, lane) = (at / lanes, at % lanes);
    let (row, i) = (unknown / height, unknown % height);
    let (mut place, end) = rows.range(row);
    let mut sum = N::ZERO;
    while place < end {
        let (own, from) = ((place * height + i) * width, width * rows.columns.get(place));
        let mut j = 0;
        while j < width {
            sum = sum.add(values.get(own + j).to_f64(), N::read(x, (from + j) * lanes + lane));
            j += 1;
        }
        place += 1;
    }
    let result = if what == SET {
        sum
    } else if what == ADD {
        N::read_written(y, at).add(1.0, sum)
    } else {
        N::read(b, at).add(-1.0, sum)
    };
    result.write(y, at);
}

/// A step of Chebyshev's iteration.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Step {
    /// The factor of the last step.
    pub keep: f64,
    /// The factor of the residual.
    pub by: f64,
    /// 1: subtract A d from the residual.
    pub subtract: u32,
    /// 1: add to x, which is set otherwise.
    pub add: u32,
}

/// The residual, `to = from - t`; the step, d = keep d + by D⁻¹ to; x += d. `inverse` has the inverted blocks
/// of the diagonal, row by row, with zeros where unknowns are fixed. Blocks: numbers.
#[kernel(for V in [f32, f64], threads = 128)]
pub fn relax<'a, V: Real>(
    block: &Block,
    numbers: u32,
    size: u32,
    lanes: u32,
    step: Step,
    state: In<'a, f64>,
    inverse: In<'a, f32>,
    from: In<'a, V>,
    t: In<'a, V>,
    to: Out<'a, V>,
    d: Out<'a, V>,
    x: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, numbers, |i| relax_row::<f64, V>(i, size, lanes, step, inverse, from, t, to, d, x));
}

/// [`relax`] by fours. Blocks: fours of numbers.
#[kernel(for V in [f32, f64], threads = 128)]
pub fn relax_fours<'a, V: Real>(
    block: &Block,
    quads: u32,
    size: u32,
    fours: u32,
    step: Step,
    state: In<'a, f64>,
    inverse: In<'a, f32>,
    from: In<'a, V>,
    t: In<'a, V>,
    to: Out<'a, V>,
    d: Out<'a, V>,
    x: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, quads, |i| {
        relax_row::<[f64; 4], V>(i, size, fours, step, inverse, from, t, to, d, x)
    });
}

/// Numbers of a step.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the arguments of kernels, which are not passed at run time")]
fn relax_row<N: Together, V: Real>(
    at: u32,
    size: u32,
    lanes: u32,
    step: Step,
    inverse: In<'_, f32>,
    from: In<'_, V>,
    t: In<'_, V>,
    to: Out<'_, V>,
    d: Out<'_, V>,
    x: Out<'_, V>,
) {
    let left = |i: u32| {
        let from = N::read(from, i);
        if step.subtract == 0 { from } else { from.add(-1.0, N::read(t, i)) }
    };
    let (unknown, lane) = (at / lanes, at % lanes);
    let first = unknown - unknown % size;
    let (mut sum, mut j) = (N::ZERO, 0);
    while j < size {
        sum = sum.add(inverse.get(unknown * size + j) as f64, left((first + j) * lanes + lane));
        j += 1;
    }
    left(at).write(to, at);
    let keep = if step.keep == 0.0 { N::ZERO } else { N::read_written(d, at) };
    let own = keep.times(step.keep).add(step.by, sum);
    own.write(d, at);
    if step.add == 0 { own } else { N::read_written(x, at).add(1.0, own) }.write(x, at);
}

/// A step of Chebyshev's iteration with its product, for one unknown for each node: the residual, `to = from
/// - A before`; the step, d = keep before + by D⁻¹ to; x += d. Blocks: numbers.
#[kernel(for (V, M) in [(f32, f32), (f32, f64), (f64, f32), (f64, f64)], threads = 128)]
pub fn relax_rows<'a, V: Real, M: Real>(
    block: &Block,
    numbers: u32,
    lanes: u32,
    step: Step,
    state: In<'a, f64>,
    rows: Rows<'a>,
    values: In<'a, M>,
    inverse: In<'a, f32>,
    from: In<'a, V>,
    before: In<'a, V>,
    to: Out<'a, V>,
    d: Out<'a, V>,
    x: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, numbers, |i| {
        relax_with_product::<f64, V, M>(i, lanes, step, rows, values, inverse, from, before, to, d, x)
    });
}

/// [`relax_rows`] by fours. Blocks: fours of numbers.
#[kernel(for (V, M) in [(f32, f32), (f32, f64), (f64, f32), (f64, f64)], threads = 128)]
pub fn relax_rows_fours<'a, V: Real, M: Real>(
    block: &Block,
    quads: u32,
    fours: u32,
    step: Step,
    state: In<'a, f64>,
    rows: Rows<'a>,
    values: In<'a, M>,
    inverse: In<'a, f32>,
    from: In<'a, V>,
    before: In<'a, V>,
    to: Out<'a, V>,
    d: Out<'a, V>,
    x: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, quads, |i| {
        relax_with_product::<[f64; 4], V, M>(i, fours, step, rows, values, inverse, from, before, to, d, x)
    });
}

/// Numbers of a step with its product.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the arguments of kernels, which are not passed at run time")]
fn relax_with_product<N: Together, V: Real, M: Real>(
    at: u32,
    lanes: u32,
    step: Step,
    rows: Rows<'_>,
    values: In<'_, M>,
    inverse: In<'_, f32>,
    from: In<'_, V>,
    before: In<'_, V>,
    to: Out<'_, V>,
    d: Out<'_, V>,
    x: Out<'_, V>,
) {
    let (row, lane) = (at / lanes, at % lanes);
    let (mut place, end) = rows.range(row);
    let mut left = N::read(from, at);
    while place < end {
        let by = -values.get(place).to_f64();
        left = left.add(by, N::read(before, rows.columns.get(place) * lanes + lane));
        place += 1;
    }
    left.write(to, at);
    let keep = if step.keep == 0.0 { N::ZERO } else { N::read(before, at) };
    let own = left.times(step.by * inverse.get(row) as f64).add(step.keep, keep);
    own.write(d, at);
    N::read_written(x, at).add(1.0, own).write(x, at);
}
