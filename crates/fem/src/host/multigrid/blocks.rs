//! Sparse matrices of rectangular blocks on the host.
use crate::device::matrix::address;
use crate::host::error::{FemError, Result};
use crate::host::matrix::{Matrix, Storage};
use crate::host::pattern::places;
use rayon::prelude::*;

/// Rows of blocks of `height` by `width` numbers, which stand row by row.
pub struct Blocks {
    height: usize,
    width: usize,
    /// Columns of blocks.
    columns: usize,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

/// A row that is being made.
type Row = (Vec<u32>, Vec<f64>);

impl Blocks {
    /// From rows.
    pub fn from_rows(height: usize, width: usize, columns: usize, rows: Vec<Row>) -> Self {
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(0);
        let mut total = 0;
        for (indices, _) in &rows {
            total += indices.len();
            offsets.push(total);
        }
        let (mut indices, mut values) =
            (Vec::with_capacity(total), Vec::with_capacity(total * height * width));
        for (own, numbers) in rows {
            indices.extend(own);
            values.extend(numbers);
        }
        Self { height, width, columns, offsets, indices, values }
    }
    /// A matrix of the device, in which fixed unknowns depend on nothing: their rows and columns are those of the unit matrix.
    pub fn of<S: Storage>(matrix: &Matrix<S>, fixed: &[u32]) -> Result<Self> {
        let pattern = matrix.pattern();
        let (offsets, columns) = (pattern.offsets().read()?, pattern.columns().read()?);
        let [diagonal, values] = matrix.buffers();
        let (diagonal, values) = (diagonal.read()?, values.read()?);
        let (size, rows) = (matrix.size(), pattern.rows());
        let is_fixed = |node: u32, k: u32| fixed[node as usize] >> k & 1 == 1;
        let row = |row: u32| -> Row {
            let (mut indices, mut numbers) = (vec![], vec![]);
            let mut put = |column: u32, from: &[S], place: u32| {
                indices.push(column);
                for i in 0..size {
                    for j in 0..size {
                        let value = if is_fixed(row, i) || is_fixed(column, j) {
                            f64::from(u8::from(row == column && i == j))
                        } else {
                            from[address(place, size * i + j, size * size) as usize].to_f64()
                        };
                        numbers.push(value);
                    }
                }
            };
            put(row, &diagonal, row);
            for (column, place) in places(&offsets, &columns, row) {
                put(column, &values, place);
            }
            (indices, numbers)
        };
        let all: Vec<Row> = (0..rows as u32).into_par_iter().map(row).collect();
        let size = size as usize;
        Ok(Self::from_rows(size, size, rows, all))
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
    /// Where rows begin, and the end.
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

    /// Rows become columns.
    pub fn transposed(&self) -> Self {
        let (h, w) = (self.height, self.width);
        let mut offsets = vec![0; self.columns + 1];
        self.indices.iter().for_each(|&column| offsets[column as usize + 1] += 1);
        for i in 0..self.columns {
            offsets[i + 1] += offsets[i];
        }
        let (mut indices, mut values) = (vec![0; self.indices.len()], vec![0.0; self.values.len()]);
        let mut next = offsets.clone();
        for row in 0..self.rows() {
            for (column, block) in self.row(row) {
                let at = next[column];
                next[column] += 1;
                indices[at] = row as u32;
                let to = &mut values[at * h * w..][..h * w];
                for i in 0..h {
                    for j in 0..w {
                        to[j * h + i] = block[i * w + j];
                    }
                }
            }
        }
        Self { height: w, width: h, columns: self.rows(), offsets, indices, values }
    }
    /// The product of two matrices, a row after the other (Gustavson).
    pub fn times(&self, other: &Self) -> Self {
        let (h, k, w) = (self.height, self.width, other.width);
        let rows: Vec<Row> = (0..self.rows())
            .into_par_iter()
            .map_init(
                || vec![u32::MAX; other.columns],
                |places, row| {
                    let (mut indices, mut numbers): Row = (vec![], vec![]);
                    for (middle, a) in self.row(row) {
                        for (column, b) in other.row(middle) {
                            if places[column] == u32::MAX {
                                places[column] = indices.len() as u32;
                                indices.push(column as u32);
                                numbers.resize(indices.len() * h * w, 0.0);
                            }
                            let to = &mut numbers[places[column] as usize * h * w..][..h * w];
                            for (a, to) in a.chunks_exact(k).zip(to.chunks_exact_mut(w)) {
                                for (a, b) in a.iter().zip(b.chunks_exact(w)) {
                                    to.iter_mut().zip(b).for_each(|(to, b)| *to += a * b);
                                }
                            }
                        }
                    }
                    indices.iter().for_each(|column| places[*column as usize] = u32::MAX);
                    (indices, numbers)
                },
            )
            .collect();
        Self::from_rows(h, w, other.columns, rows)
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

    /// The inverted blocks of the diagonal; zeros in rows and columns of unknowns that are fixed. An error for a block that is not positive definite, or, with
    /// `lenient`, something smaller than its inverse.
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
    /// Unknowns that no function of the finer level has get 1 on the diagonal; the words of these.
    pub fn settle_unused(&mut self) -> Vec<u32> {
        let n = self.height;
        let mut words = vec![0; self.rows()];
        for (row, word) in words.iter_mut().enumerate() {
            let own = self.offsets[row]..self.offsets[row + 1];
            if let Some(at) = own.clone().find(|&at| self.indices[at] as usize == row) {
                for k in 0..n {
                    let number = &mut self.values[at * n * n + k * (n + 1)];
                    if *number <= 0.0 {
                        *number = 1.0;
                        *word |= 1 << k;
                    }
                }
            }
        }
        words
    }
}
