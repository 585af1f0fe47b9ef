//! The needs of multigrid from a matrix of elements: plain rows of blocks, and rigid motions.
use super::matrix::{PatternView, address, for_each_row};
use super::real::Real;
use ribbonmesh::device::{Block, In, Out, Vec3, kernel};

/// Runs `f` for the column and the place of each block of a row off the diagonal. Padding, which repeats the
/// last column, is left out.
#[inline(always)]
fn each_block(pattern: PatternView<'_>, row: u32, mut f: impl FnMut(u32, u32)) {
    let (mut place, mut left) = pattern.row(row);
    let mut last = row;
    while left > 0 {
        let column = pattern.columns.get(place);
        if column == last || column == row {
            return;
        }
        f(column, place);
        last = column;
        place += super::matrix::BIN;
        left -= 1;
    }
}
/// The number of blocks of each row, with the diagonal; 0 after the last row. Blocks: rows and one more.
#[kernel(threads = 128)]
pub fn row_sizes<'a>(block: &Block, pattern: PatternView<'a>, to: Out<'a, u32>) {
    for_each_row(block, pattern.rows + 1, |row| {
        let mut count = 0;
        if row < pattern.rows {
            count = 1;
            each_block(pattern, row, |_, _| count += 1);
        }
        to.set(row, count);
    });
}
/// Rows of blocks, columns ascending, in double precision. Blocks: rows.
#[kernel(for S in [f32, f64], threads = 128)]
pub fn list_blocks<'a, S: Real>(
    block: &Block,
    size: u32,
    pattern: PatternView<'a>,
    diagonal: In<'a, S>,
    values: In<'a, S>,
    starts: In<'a, u32>,
    columns: Out<'a, u32>,
    to: Out<'a, f64>,
) {
    let numbers = size * size;
    for_each_row(block, pattern.rows, |row| {
        let (mut at, mut own) = (starts.get(row), false);
        let put = |at: u32, column: u32, from: In<'_, S>, place: u32| {
            columns.set(at, column);
            let mut k = 0;
            while k < numbers {
                to.set(at * numbers + k, from.get(address(place, k, numbers)).to_f64());
                k += 1;
            }
        };
        each_block(pattern, row, |column, place| {
            if !own && column > row {
                put(at, row, diagonal, row);
                own = true;
                at += 1;
            }
            put(at, column, values, place);
            at += 1;
        });
        if !own {
            put(at, row, diagonal, row);
        }
    });
}
/// The six rigid motions at each point, about `middle`: for each of its unknowns a row of six numbers.
/// Blocks: points.
#[kernel(threads = 128)]
pub fn rigid_motions<'a>(block: &Block, n: u32, middle: [f64; 3], x: In<'a, Vec3>, to: Out<'a, f64>) {
    for_each_row(block, n, |point| {
        let at = x.get(point);
        let (x, y, z) = (at.x as f64 - middle[0], at.y as f64 - middle[1], at.z as f64 - middle[2]);
        let own = [
            1.0, 0.0, 0.0, 0.0, z, -y, //
            0.0, 1.0, 0.0, -z, 0.0, x, //
            0.0, 0.0, 1.0, y, -x, 0.0,
        ];
        let mut k = 0;
        while k < 18 {
            to.set(18 * point + k, own[k as usize]);
            k += 1;
        }
    });
}
