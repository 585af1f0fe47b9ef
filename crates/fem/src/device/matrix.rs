//! Bin-BCSR*: sparse rows of blocks in bins of 32 (Mueller-Roemer 2020, section 4.4.2).
use super::real::{Entry, Real};
use ribbonmesh::device::{Block, In, Out, Parameter};

/// Rows of a bin: as many as a warp has threads.
pub const BIN: u32 = 32;
/// Rows of a block of threads.
pub const ROWS: u32 = 128;

/// Runs `f` for the rows of this block. The launch has `n.div_ceil(ROWS)` blocks of [`ROWS`] threads.
#[inline(always)]
pub fn for_each_row(block: &Block, n: u32, f: impl Fn(u32)) {
    let first = ROWS * block.index();
    let rest = n.saturating_sub(first);
    block.for_each_nosync(if rest < ROWS { rest } else { ROWS }, |i| f(first + i));
}

/// The blocks that a matrix has. Place `offsets[b] + 32 slot + lane` is slot `slot` of row `32 b + lane`; the
/// diagonal is stored separately. The columns of a row ascend; padding repeats its last column.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct PatternView<'a> {
    /// The number of rows.
    pub rows: u32,
    /// The first place of each bin, and the end.
    pub offsets: In<'a, u32>,
    /// The column of each place.
    pub columns: In<'a, u32>,
}
impl PatternView<'_> {
    /// The place of a row's first slot, and the number of its slots.
    #[inline(always)]
    pub fn row(&self, row: u32) -> (u32, u32) {
        row_of(self.offsets, row)
    }
    /// The place of a column in a row, which has it, by bisection.
    #[inline(always)]
    pub fn place(&self, (first, width): (u32, u32), column: u32) -> u32 {
        let (mut low, mut high) = (0, width);
        while low < high {
            let middle = (low + high) / 2;
            if self.columns.get(first + BIN * middle) < column {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        first + BIN * low
    }
}
/// The place of a row's first slot, and the number of its slots.
#[inline(always)]
pub fn row_of(offsets: In<'_, u32>, row: u32) -> (u32, u32) {
    let (bin, lane) = (row / BIN, row % BIN);
    let (start, end) = (offsets.get(bin), offsets.get(bin + 1));
    (start + lane, (end - start) / BIN)
}

/// The index of number `k` of the block at a place: the blocks of 32 places are interleaved, number by
/// number.
#[inline(always)]
pub const fn address(place: u32, k: u32, numbers: u32) -> u32 {
    numbers * (place & !(BIN - 1)) + BIN * k + (place & (BIN - 1))
}

/// The numbers of a matrix, to be written.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct ValuesView<'a, S> {
    /// Blocks of the diagonal, at `address` of their rows.
    pub diagonal: Out<'a, S>,
    /// Blocks off the diagonal, at `address` of their places.
    pub values: Out<'a, S>,
}
/// Writes a block.
#[inline(always)]
pub fn write<E: Entry>(to: Out<'_, E::Scalar>, place: u32, entry: E) {
    let (mut k, numbers) = (0, E::SIZE * E::SIZE);
    while k < numbers {
        to.set(address(place, k, numbers), entry.part(k));
        k += 1;
    }
}
/// Adds a block.
#[inline(always)]
pub fn add<E: Entry>(to: Out<'_, E::Scalar>, place: u32, entry: E) {
    let (mut k, numbers) = (0, E::SIZE * E::SIZE);
    while k < numbers {
        let at = address(place, k, numbers);
        to.set(at, to.get(at) + entry.part(k));
        k += 1;
    }
}
/// Reads a block.
#[inline(always)]
pub fn read<E: Entry>(from: In<'_, E::Scalar>, place: u32) -> E {
    let numbers = E::SIZE * E::SIZE;
    E::of(|k| from.get(address(place, k, numbers)))
}

/// A matrix, to be read.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct MatrixView<'a, S> {
    /// The blocks that it has.
    pub pattern: PatternView<'a>,
    /// Blocks of the diagonal.
    pub diagonal: In<'a, S>,
    /// Blocks off the diagonal.
    pub values: In<'a, S>,
}
impl<S: Real> MatrixView<'_, S> {
    /// A row times a vector, in double precision.
    #[inline(always)]
    pub fn times<E: Entry<Scalar = S>>(&self, row: u32, x: In<'_, f64>) -> [f64; 3] {
        let (first, width) = self.pattern.row(row);
        let mut sum = [0.0; 3];
        let mut multiply = |block: E, column: u32| {
            let mut c = 0;
            while c < E::SIZE {
                let value = x.get(E::SIZE * column + c);
                let mut r = 0;
                while r < E::SIZE {
                    sum[r as usize] += block.part(E::SIZE * r + c).to_f64() * value;
                    r += 1;
                }
                c += 1;
            }
        };
        multiply(read(self.diagonal, row), row);
        let (mut slot, mut place) = (0, first);
        while slot < width {
            multiply(read(self.values, place), self.pattern.columns.get(place));
            place += BIN;
            slot += 1;
        }
        sum
    }
}
