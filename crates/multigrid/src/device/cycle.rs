//! A cycle: products with matrices of rectangular blocks, and Chebyshev's iteration on blocks of the
//! diagonal. A thread computes one number of a vector, sums are in double precision. Vectors have several
//! lanes: number `l` of unknown `i` is at `i lanes + l`.
use super::rows::{Rows, for_each_row};
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
    for_each_row(block, numbers, |number| {
        let (unknown, lane) = (number / lanes, number % lanes);
        let (row, i) = (unknown / height, unknown % height);
        let (mut place, end) = rows.range(row);
        let mut sum = 0.0_f64;
        while place < end {
            let (own, from) = ((place * height + i) * width, width * rows.columns.get(place));
            let mut j = 0;
            while j < width {
                sum += values.get(own + j).to_f64() * x.get((from + j) * lanes + lane).to_f64();
                j += 1;
            }
            place += 1;
        }
        let result = if what == SET {
            sum
        } else if what == ADD {
            y.get(number).to_f64() + sum
        } else {
            b.get(number).to_f64() - sum
        };
        y.set(number, V::from_f64(result));
    });
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
    for_each_row(block, numbers, |number| {
        let left = |i: u32| {
            let from = from.get(i).to_f64();
            if step.subtract == 0 { from } else { from - t.get(i).to_f64() }
        };
        let (unknown, lane) = (number / lanes, number % lanes);
        let first = unknown - unknown % size;
        let (mut sum, mut j) = (0.0, 0);
        while j < size {
            sum += inverse.get(unknown * size + j) as f64 * left((first + j) * lanes + lane);
            j += 1;
        }
        to.set(number, V::from_f64(left(number)));
        let own =
            if step.keep == 0.0 { step.by * sum } else { step.keep * d.get(number).to_f64() + step.by * sum };
        d.set(number, V::from_f64(own));
        x.set(number, V::from_f64(if step.add == 0 { own } else { x.get(number).to_f64() + own }));
    });
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
    for_each_row(block, numbers, |number| {
        let (row, lane) = (number / lanes, number % lanes);
        let (mut place, end) = rows.range(row);
        let mut left = from.get(number).to_f64();
        while place < end {
            left -= values.get(place).to_f64() * before.get(rows.columns.get(place) * lanes + lane).to_f64();
            place += 1;
        }
        to.set(number, V::from_f64(left));
        let mut own = step.by * inverse.get(row) as f64 * left;
        if step.keep != 0.0 {
            own += step.keep * before.get(number).to_f64();
        }
        d.set(number, V::from_f64(own));
        x.set(number, V::from_f64(x.get(number).to_f64() + own));
    });
}
