//! The inverse of the coarsest matrix.
use super::cycle::ended;
use ribbonmesh::device::{Block, Each, In, Out, kernel};
use ribbonmesh_linear::Real;

/// Numbers of a sparse matrix into a dense one of zeros. Elements: numbers.
#[kernel(threads = 256)]
pub fn spread_blocks<'a>(
    i: Each,
    size: u32,
    unknowns: u32,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    values: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (place, k) = (i / (size * size), i % (size * size));
    let (row, column) = (rows.get(place) * size + k / size, columns.get(place) * size + k % size);
    to.set(row * unknowns + column, values.get(i));
}

/// Pivots below this part of the diagonal belong to unknowns that depend on others.
const TINY: f64 = 1e-12;

/// A step of Gauss and Jordan's method for the inverse. An unknown that is fixed, or depends on those before,
/// gets zeros. Elements: numbers.
#[kernel(threads = 256)]
pub fn eliminate<'a>(
    i: Each,
    size: u32,
    unknowns: u32,
    pivot: u32,
    words: In<'a, u32>,
    diagonal: In<'a, f64>,
    from: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (row, column) = (i / unknowns, i % unknowns);
    let own = from.get(pivot * unknowns + pivot);
    let fixed = words.get(pivot / size) >> (pivot % size) & 1 == 1;
    let kept = !fixed && own > TINY * diagonal.get(pivot);
    let (of_row, of_column) = (row == pivot, column == pivot);
    let number = if !kept {
        if of_row || of_column { 0.0 } else { from.get(i) }
    } else if of_row && of_column {
        1.0 / own
    } else if of_row {
        from.get(i) / own
    } else if of_column {
        -from.get(i) / own
    } else {
        from.get(i) - from.get(row * unknowns + pivot) * from.get(pivot * unknowns + column) / own
    };
    to.set(i, number);
}
/// The diagonal of a dense matrix. Elements: unknowns.
#[kernel(threads = 256)]
pub fn dense_diagonal<'a>(i: Each, unknowns: u32, from: In<'a, f64>, to: Out<'a, f64>) {
    to.set(i, from.get(i * unknowns + i));
}

/// y = A x for a dense matrix and vectors of several lanes. Blocks: rows.
#[kernel(for V in [f32, f64], threads = 128)]
pub fn multiply_dense<'a, V: Real>(
    block: &Block,
    unknowns: u32,
    lanes: u32,
    state: In<'a, f64>,
    a: In<'a, f64>,
    x: In<'a, V>,
    y: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    let row = block.index();
    let mut lane = 0;
    while lane < lanes {
        let term = |k: u32| a.get(row * unknowns + k) * x.get(k * lanes + lane).to_f64();
        let sum = block.reduce(unknowns, 0.0, term, |a, b| a + b);
        block.single_nosync(|| y.set(row * lanes + lane, V::from_f64(sum)));
        lane += 1;
    }
}
