//! Sparse matrices of rectangular blocks on the host.
use crate::device::matrix::address;
use crate::host::error::{FemError, Result};
use crate::host::matrix::{Matrix, Storage};
use crate::host::pattern::places;
use rayon::prelude::*;

/// Rows of blocks of `height` by `width` numbers, which are stored row by row.
pub struct Blocks {
    height: usize,
    width: usize,
    /// Columns of blocks.
    columns: usize,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

/// Rows that are being made, one after the other.
#[derive(Default)]
pub struct Rows {
    /// Columns.
    pub indices: Vec<u32>,
    /// Numbers of blocks.
    pub values: Vec<f64>,
}
/// Adds the product of two blocks to a third one.
type AddProduct = dyn Fn(&[f64], &[f64], &mut [f64]) + Sync;
/// Rows that a thread makes at a time.
const CHUNK: usize = 1024;

impl Blocks {
    /// Makes rows in parallel: `row` appends the blocks of one row. `state` is made once for some rows.
    pub fn build<T>(
        [height, width]: [usize; 2],
        columns: usize,
        rows: usize,
        state: impl Fn() -> T + Sync + Send,
        row: impl Fn(&mut T, usize, &mut Rows) + Sync + Send,
    ) -> Self {
        let made: Vec<(Rows, Vec<usize>)> = (0..rows.div_ceil(CHUNK))
            .into_par_iter()
            .map_init(state, |state, chunk| {
                let (mut made, mut ends) = (Rows::default(), Vec::with_capacity(CHUNK));
                for own in chunk * CHUNK..rows.min((chunk + 1) * CHUNK) {
                    row(state, own, &mut made);
                    ends.push(made.indices.len());
                }
                (made, ends)
            })
            .collect();
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        let mut total = 0;
        for (own, ends) in &made {
            offsets.extend(ends.iter().map(|end| total + end));
            total += own.indices.len();
        }
        let (mut indices, mut values) = (vec![0; total], vec![0.0; total * height * width]);
        let mut parts = Vec::with_capacity(made.len());
        let (mut i, mut v) = (indices.as_mut_slice(), values.as_mut_slice());
        for (own, _) in made {
            let (first, rest) = i.split_at_mut(own.indices.len());
            let (numbers, others) = v.split_at_mut(own.values.len());
            (i, v) = (rest, others);
            parts.push((own, first, numbers));
        }
        parts.into_par_iter().for_each(|(own, indices, values)| {
            indices.copy_from_slice(&own.indices);
            values.copy_from_slice(&own.values);
        });
        Self { height, width, columns, offsets, indices, values }
    }
    /// A matrix of the device, in which fixed unknowns depend on nothing: their rows and columns are those of
    /// the unit matrix.
    pub fn of<S: Storage>(matrix: &Matrix<S>, fixed: &[u32]) -> Result<Self> {
        let pattern = matrix.pattern();
        let (offsets, columns) = (pattern.offsets().read()?, pattern.columns().read()?);
        let [diagonal, values] = matrix.buffers();
        let (diagonal, values) = (diagonal.read()?, values.read()?);
        let (size, rows) = (matrix.size(), pattern.rows());
        let is_fixed = |node: u32, k: u32| fixed[node as usize] >> k & 1 == 1;
        let put = |made: &mut Rows, row: u32, column: u32, from: &[S], place: u32| {
            made.indices.push(column);
            for i in 0..size {
                for j in 0..size {
                    made.values.push(if is_fixed(row, i) || is_fixed(column, j) {
                        f64::from(u8::from(row == column && i == j))
                    } else {
                        from[address(place, size * i + j, size * size) as usize].to_f64()
                    });
                }
            }
        };
        let n = size as usize;
        let row = |(): &mut (), row: usize, made: &mut Rows| {
            let row = row as u32;
            put(made, row, row, &diagonal, row);
            for (column, place) in places(&offsets, &columns, row) {
                put(made, row, column, &values, place);
            }
        };
        Ok(Self::build([n, n], rows, rows, || (), row))
    }
    /// Rows of blocks.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }
    /// Rows of a block.
    pub fn height(&self) -> usize {
        self.height
    }
    /// Columns of a block.
    pub fn width(&self) -> usize {
        self.width
    }
    /// Columns of blocks.
    pub fn columns(&self) -> usize {
        self.columns
    }
    /// The first block of each row, and the end.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }
    /// The columns of all blocks.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }
    /// The numbers of all blocks.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
    /// The blocks of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &[f64])> {
        let numbers = self.height * self.width;
        (self.offsets[row]..self.offsets[row + 1])
            .map(move |at| (self.indices[at] as usize, &self.values[at * numbers..][..numbers]))
    }
    /// The block of the diagonal.
    pub fn diagonal(&self, row: usize) -> Option<&[f64]> {
        self.row(row).find(|(column, _)| *column == row).map(|(_, block)| block)
    }

    /// All numbers of the diagonal.
    fn diagonal_numbers(&self) -> impl Iterator<Item = f64> {
        let n = self.height;
        let blocks = (0..self.rows()).filter_map(|row| self.diagonal(row));
        blocks.flat_map(move |block| (0..n).map(move |k| block[k * (n + 1)]))
    }
    /// The largest number of the diagonal by the smallest one above 0; 1 if there is none.
    pub fn contrast(&self) -> f64 {
        let of = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
        let numbers = self.diagonal_numbers().filter(|x| *x > 0.0);
        let (low, high) = numbers.fold((f64::INFINITY, 0.0_f64), of);
        if high > 0.0 { high / low } else { 1.0 }
    }
    /// Rows become columns. Each thread fills some of the new rows, and looks at all blocks for that.
    pub fn transposed(&self) -> Self {
        let (h, w) = (self.height, self.width);
        let mut offsets = vec![0; self.columns + 1];
        self.indices.iter().for_each(|&column| offsets[column as usize + 1] += 1);
        for i in 0..self.columns {
            offsets[i + 1] += offsets[i];
        }
        let (mut indices, mut values) = (vec![0; self.indices.len()], vec![0.0; self.values.len()]);
        let threads = rayon::current_num_threads();
        let mut parts = vec![];
        let (mut i, mut v) = (indices.as_mut_slice(), values.as_mut_slice());
        let mut first = 0;
        for part in 1..=threads {
            // the columns of a part are as many as give each thread about the same number of blocks
            let end = if part == threads {
                self.columns
            } else {
                let share = self.indices.len() * part / threads;
                first.max(offsets.partition_point(|&at| at <= share).saturating_sub(1).min(self.columns))
            };
            let count = offsets[end] - offsets[first];
            let (own, rest) = i.split_at_mut(count);
            let (numbers, others) = v.split_at_mut(count * h * w);
            (i, v) = (rest, others);
            parts.push((first..end, own, numbers));
            first = end;
        }
        parts.into_par_iter().for_each(|(columns, indices, values)| {
            let base = offsets[columns.start];
            let mut next: Vec<usize> = offsets[columns.clone()].iter().map(|at| at - base).collect();
            for row in 0..self.rows() {
                for (column, block) in self.row(row).filter(|(column, _)| columns.contains(column)) {
                    let next = &mut next[column - columns.start];
                    indices[*next] = row as u32;
                    let to = &mut values[*next * h * w..][..h * w];
                    for i in 0..h {
                        for j in 0..w {
                            to[j * h + i] = block[i * w + j];
                        }
                    }
                    *next += 1;
                }
            }
        });
        Self { height: w, width: h, columns: self.rows(), offsets, indices, values }
    }
    /// The product of two matrices, a row after the other (Gustavson 1978).
    pub fn times(&self, other: &Self) -> Self {
        let (h, k, w) = (self.height, self.width, other.width);
        // nodes have one or three unknowns, aggregates one or six
        let add: &AddProduct = match (k, w) {
            (3, 6) => &add_product::<3, 6>,
            (6, 6) => &add_product::<6, 6>,
            (3, 3) => &add_product::<3, 3>,
            (1, 1) => &add_product::<1, 1>,
            _ => &move |a, b, to| add_product_of(k, w, a, b, to),
        };
        let row = |places: &mut Vec<u32>, row: usize, made: &mut Rows| {
            let first = made.indices.len();
            for (middle, a) in self.row(row) {
                for (column, b) in other.row(middle) {
                    if places[column] == u32::MAX {
                        places[column] = made.indices.len() as u32;
                        made.indices.push(column as u32);
                        made.values.resize(made.indices.len() * h * w, 0.0);
                    }
                    add(a, b, &mut made.values[places[column] as usize * h * w..][..h * w]);
                }
            }
            made.indices[first..].iter().for_each(|column| places[*column as usize] = u32::MAX);
        };
        Self::build([h, w], other.columns, self.rows(), || vec![u32::MAX; other.columns], row)
    }
    /// The product with a vector.
    pub fn apply(&self, x: &[f64]) -> Vec<f64> {
        let (h, w) = (self.height, self.width);
        let mut y = vec![0.0; h * self.rows()];
        y.par_chunks_exact_mut(h).enumerate().for_each(|(row, y)| {
            for (column, block) in self.row(row) {
                let x = &x[column * w..][..w];
                for (y, block) in y.iter_mut().zip(block.chunks_exact(w)) {
                    *y += block.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
                }
            }
        });
        y
    }

    /// The inverted blocks of the diagonal; zeros in rows and columns of unknowns that are fixed. An error
    /// for a block that is not positive definite, or, with `lenient`, something smaller than its inverse.
    pub fn inverted_diagonal(&self, fixed: &[u32], lenient: bool) -> Result<Vec<f64>> {
        let n = self.height;
        let inverted = |row: usize| -> Option<Vec<f64>> {
            let block = self.diagonal(row)?;
            let mut inverse = match super::coarsest::inverted(block, n) {
                Some(inverse) => inverse,
                None if lenient => super::coarsest::bounded(block, n),
                None => return None,
            };
            for k in 0..n {
                if fixed[row] >> k & 1 == 1 {
                    (0..n).for_each(|i| (inverse[k * n + i], inverse[i * n + k]) = (0.0, 0.0));
                }
            }
            Some(inverse)
        };
        let all: Vec<_> = (0..self.rows()).into_par_iter().map(inverted).collect();
        let mut numbers = Vec::with_capacity(n * n * self.rows());
        for (node, own) in all.into_iter().enumerate() {
            numbers.extend(own.ok_or(FemError::NotPositive { node })?);
        }
        Ok(numbers)
    }
    /// Unknowns that no function of the finer level has get a number of the diagonal as theirs, so that it is
    /// as large as others are; the words of these.
    pub fn settle_unused(&mut self) -> Vec<u32> {
        let n = self.height;
        let usual = self.diagonal_numbers().find(|x| *x > 0.0).unwrap_or(1.0);
        let mut words = vec![0; self.rows()];
        for (row, word) in words.iter_mut().enumerate() {
            let mut own = self.offsets[row]..self.offsets[row + 1];
            if let Some(at) = own.find(|&at| self.indices[at] as usize == row) {
                for k in 0..n {
                    let number = &mut self.values[at * n * n + k * (n + 1)];
                    if *number <= 0.0 {
                        *number = usual;
                        *word |= 1 << k;
                    }
                }
            }
        }
        words
    }
}

/// Adds the product of two blocks, the second one of `K` rows and `W` columns.
fn add_product<const K: usize, const W: usize>(a: &[f64], b: &[f64], to: &mut [f64]) {
    let (b, _) = b.as_chunks::<W>();
    for (a, to) in a.as_chunks::<K>().0.iter().zip(to.as_chunks_mut::<W>().0) {
        for (a, b) in a.iter().zip(b) {
            for j in 0..W {
                to[j] += a * b[j];
            }
        }
    }
}
/// The same for any sizes.
fn add_product_of(k: usize, w: usize, a: &[f64], b: &[f64], to: &mut [f64]) {
    for (a, to) in a.chunks_exact(k).zip(to.chunks_exact_mut(w)) {
        for (a, b) in a.iter().zip(b.chunks_exact(w)) {
            to.iter_mut().zip(b).for_each(|(to, b)| *to += a * b);
        }
    }
}
