//! Inverses of dense matrices.
use super::blocks::{Blocks, Rows};

/// Pivots below this part of the diagonal belong to unknowns that depend on others.
const TINY: f64 = 1e-12;

/// The inverse of a symmetric matrix of `n` rows by Cholesky's decomposition; `None` if it is not positive
/// definite.
pub fn inverted(a: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let (before, upper) = l.split_at(i * n);
            let own = if j < i { &before[j * n..][..j] } else { &upper[..j] };
            let sum: f64 = own.iter().zip(&upper[..j]).map(|(a, b)| a * b).sum();
            let left = a[i * n + j] - sum;
            l[i * n + j] = if j < i {
                left / l[j * n + j]
            } else if left > TINY * a[i * n + i] && left.is_finite() {
                left.sqrt()
            } else {
                return None;
            };
        }
    }
    // the inverse of the triangle, column by column, and its product with its own transpose
    let mut inverse = vec![0.0; n * n];
    for column in 0..n {
        for i in column..n {
            let own = f64::from(u8::from(i == column));
            let sum: f64 = (column..i).map(|k| l[i * n + k] * inverse[k * n + column]).sum();
            inverse[i * n + column] = (own - sum) / l[i * n + i];
        }
    }
    let mut product = vec![0.0; n * n];
    for k in 0..n {
        let row = &inverse[k * n..][..=k];
        for (i, a) in row.iter().enumerate() {
            for (to, b) in product[i * n..].iter_mut().zip(row) {
                *to += a * b;
            }
        }
    }
    Some(product)
}

/// The inverse of `n` times the diagonal, which is not less than a symmetric matrix that is not negative.
pub fn bounded(a: &[f64], n: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; n * n];
    for k in 0..n {
        let own = a[k * (n + 1)];
        inverse[k * (n + 1)] = if own > 0.0 { 1.0 / (n as f64 * own) } else { 0.0 };
    }
    inverse
}

/// The inverse of a matrix as one of dense rows of its blocks; something smaller if it is not positive
/// definite in double precision.
pub fn inverse(a: &Blocks, fixed: &[u32]) -> Blocks {
    let (rows, n) = (a.rows(), a.height());
    let all = n * rows;
    let mut dense = vec![0.0; all * all];
    for row in 0..rows {
        for (column, block) in a.row(row) {
            for (i, own) in block.chunks_exact(n).enumerate() {
                dense[(row * n + i) * all + column * n..][..n].copy_from_slice(own);
            }
        }
    }
    let inverse = inverted(&dense, all).unwrap_or_else(|| bounded(&dense, all));
    let is_fixed = |i: usize| fixed[i / n] >> (i % n) & 1 == 1;
    let row = |(): &mut (), row: usize, made: &mut Rows| {
        made.indices.extend(0..rows as u32);
        for column in 0..rows {
            for i in row * n..row * n + n {
                for j in column * n..column * n + n {
                    made.values.push(if is_fixed(i) || is_fixed(j) { 0.0 } else { inverse[i * all + j] });
                }
            }
        }
    };
    Blocks::build([n, n], rows, rows, || (), row)
}

/// The inverted blocks of the diagonal as a matrix.
pub fn diagonal(a: &Blocks, inverse: &[f64]) -> Blocks {
    let n = a.height();
    let row = |(): &mut (), row: usize, made: &mut Rows| {
        made.indices.push(row as u32);
        made.values.extend_from_slice(&inverse[row * n * n..][..n * n]);
    };
    Blocks::build([n, n], a.rows(), a.rows(), || (), row)
}
