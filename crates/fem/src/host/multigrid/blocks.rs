//! Sparse matrices of rectangular blocks on the host.
use crate::device::matrix::{BIN, address};
use crate::host::error::{FemError, Result};
use crate::host::matrix::{Matrix, Storage};
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
            let (bin, lane) = ((row / BIN) as usize, row % BIN);
            let mut last = row;
            for place in (offsets[bin] + lane..offsets[bin + 1]).step_by(BIN as usize) {
                let column = columns[place as usize];
                if column == last || column == row {
                    break;
                }
                put(column, &values, place);
                last = column;
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
    fn apply(&self, x: &[f64]) -> Vec<f64> {
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
    /// An estimate of the greatest eigenvalue of D⁻¹ A, from below: that of the tridiagonal matrix of Lanczos' method, in the scalar product
    /// of D.
    pub fn greatest_eigenvalue(&self, inverse: &[f64]) -> f64 {
        let n = self.height;
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        };
        let scaled = |u: &[f64]| -> Vec<f64> {
            let mut v = vec![0.0; u.len()];
            v.par_chunks_exact_mut(n).enumerate().for_each(|(row, v)| {
                let (own, u) = (&inverse[row * n * n..][..n * n], &u[row * n..][..n]);
                for (v, own) in v.iter_mut().zip(own.chunks_exact(n)) {
                    *v = own.iter().zip(u).map(|(a, u)| a * u).sum();
                }
            });
            v
        };
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        // u = D v, of this step and of the one before
        let mut u: Vec<f64> = (0..n * self.rows()).map(|_| random()).collect();
        let mut before = vec![0.0; u.len()];
        let (mut diagonal, mut beside) = (vec![], vec![]);
        let mut beta = 0.0;
        for _ in 0..LANCZOS {
            let mut v = scaled(&u);
            let length = dot(&u, &v).sqrt();
            if length.is_nan() || length <= 1e-12 {
                break;
            }
            if !diagonal.is_empty() {
                beside.push(length);
                beta = length;
            }
            v.iter_mut().chain(u.iter_mut()).for_each(|x| *x /= length);
            let w = self.apply(&v);
            let alpha = dot(&w, &v);
            diagonal.push(alpha);
            let next = w.iter().zip(&u).zip(&before).map(|((w, u), before)| w - alpha * u - beta * before);
            before = next.collect();
            std::mem::swap(&mut u, &mut before);
        }
        greatest_of_tridiagonal(&diagonal, &beside).unwrap_or(1.0)
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
/// Steps of Lanczos' method.
const LANCZOS: usize = 15;

/// The greatest eigenvalue of a symmetric tridiagonal matrix, by bisection with Sturm's sequence; none of an empty one.
fn greatest_of_tridiagonal(diagonal: &[f64], beside: &[f64]) -> Option<f64> {
    let at = |i: usize| beside.get(i).copied().unwrap_or(0.0);
    let reach = |i: usize| diagonal[i] + at(i).abs() + if i > 0 { at(i - 1).abs() } else { 0.0 };
    let mut high = (0..diagonal.len()).map(reach).reduce(f64::max)?;
    let mut low = diagonal.iter().copied().reduce(f64::max)?;
    // whether all eigenvalues are below x: all pivots of T - x are negative
    let above_all = |x: f64| {
        let mut pivot = -1.0_f64;
        (0..diagonal.len()).all(|i| {
            let part = if i > 0 { at(i - 1) * at(i - 1) / pivot } else { 0.0 };
            pivot = diagonal[i] - x - part;
            pivot < 0.0
        })
    };
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if above_all(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_a_chain() {
        // 2 on the diagonal, -1 beside it: 2 - 2 cos(k π / (n + 1))
        let n = 9;
        let found = greatest_of_tridiagonal(&vec![2.0; n], &vec![-1.0; n - 1]).expect("not empty");
        let exact = 2.0 - 2.0 * (std::f64::consts::PI * n as f64 / (n as f64 + 1.0)).cos();
        assert!((found - exact).abs() < 1e-12, "{found}, {exact}");
        assert_eq!(greatest_of_tridiagonal(&[], &[]), None);
        assert!((greatest_of_tridiagonal(&[3.0], &[]).expect("not empty") - 3.0).abs() < 1e-12);
    }

    #[test]
    fn greatest_eigenvalue_of_a_matrix() {
        // a chain of 500 nodes: after scaling by the diagonal, almost 2
        let n = 500;
        let row = |i: u32| {
            let near = [i.checked_sub(1), Some(i), (i + 1 < n).then_some(i + 1)].into_iter().flatten();
            near.map(|j| (j, if i == j { 4.0 } else { -2.0 })).unzip()
        };
        let a = Blocks::from_rows(1, 1, n as usize, (0..n).map(row).collect());
        let inverse = a.inverted_diagonal(&vec![0; n as usize], false).expect("positive");
        let found = a.greatest_eigenvalue(&inverse);
        assert!(found > 1.95 && found < 2.0, "{found}");
    }
}
