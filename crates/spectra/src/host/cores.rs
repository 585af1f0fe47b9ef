//! Products and combinations of columns on the CPU's cores, by the products of matrices of faer, which take
//! the vectors that a core has. The same bits in every run: parts have a fixed size, and are added in their
//! order.
use super::columns::{Meet, Part, panels as of_columns};
use super::problem::LANES;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;
use std::ops::Range;

/// Rows that are worked on at once.
const ROWS: usize = 512;
/// Parts of rows whose products are added at the end, at most.
const PARTS: usize = 32;

/// The panels of `n` rows of parts that a window meets; nothing on a GPU.
pub fn panels<'a>(n: usize, of: &[Part<'a>], meet: Meet, window: &Range<usize>) -> Option<Vec<&'a [f64]>> {
    let mut all = vec![];
    for part in of {
        let panels = part.of.host_slice()?.chunks_exact((n * LANES).max(1)).take(of_columns(part.count));
        match meet {
            Meet::All => all.extend(panels),
            Meet::Own => all.extend(panels.skip(window.start / LANES).take(1)),
        }
    }
    Some(all)
}
/// Some rows of all panels beside each other, row by row.
fn gather(panels: &[&[f64]], first: usize, rows: usize, to: &mut Vec<f64>) {
    to.clear();
    for row in first..first + rows {
        panels.iter().for_each(|panel| to.extend_from_slice(&panel[row * LANES..][..LANES]));
    }
}
/// The products of all columns of panels with all of others.
pub fn products(n: usize, left: &[&[f64]], right: &[&[f64]]) -> Mat<f64> {
    let (height, width) = (LANES * left.len(), LANES * right.len());
    let part = n.div_ceil(PARTS).next_multiple_of(ROWS);
    let of_part = |at: usize| {
        let (mut sum, mut a, mut b) = (Mat::zeros(height, width), vec![], vec![]);
        let end = n.min((at + 1) * part);
        for first in (at * part..end).step_by(ROWS) {
            let rows = ROWS.min(end - first);
            gather(left, first, rows, &mut a);
            gather(right, first, rows, &mut b);
            let a = MatRef::from_row_major_slice(&a, rows, height);
            let b = MatRef::from_row_major_slice(&b, rows, width);
            matmul(sum.as_mut(), Accum::Add, a.transpose(), b, 1.0, Par::Seq);
        }
        sum
    };
    let sums: Vec<Mat<f64>> = (0..n.div_ceil(part)).into_par_iter().map(of_part).collect();
    sums.into_iter().reduce(|sum, next| sum + next).unwrap_or_else(|| Mat::zeros(height, width))
}
/// Linear combinations of all columns of panels, whose factors are the columns of a matrix, into panels, or
/// added to them.
pub fn combine(n: usize, of: &[&[f64]], factors: MatRef<'_, f64>, add: bool, to: &mut [f64]) {
    let (height, width) = factors.shape();
    let mut parts: Vec<Vec<&mut [f64]>> = (0..n.div_ceil(ROWS)).map(|_| vec![]).collect();
    for panel in to.chunks_exact_mut(n * LANES).take(width / LANES) {
        parts.iter_mut().zip(panel.chunks_mut(ROWS * LANES)).for_each(|(part, own)| part.push(own));
    }
    parts.into_par_iter().enumerate().for_each_init(
        || (vec![], vec![]),
        |(a, b), (at, part)| {
            let (first, rows) = (at * ROWS, ROWS.min(n - at * ROWS));
            gather(of, first, rows, a);
            b.resize(rows * width, 0.0);
            if add {
                for (panel, own) in part.iter().enumerate() {
                    for (row, own) in own.chunks_exact(LANES).enumerate() {
                        b[row * width + panel * LANES..][..LANES].copy_from_slice(own);
                    }
                }
            }
            let how = if add { Accum::Add } else { Accum::Replace };
            let from = MatRef::from_row_major_slice(a, rows, height);
            let product = MatMut::from_row_major_slice_mut(b, rows, width);
            matmul(product, how, from, factors, 1.0, Par::Seq);
            for (panel, to) in part.into_iter().enumerate() {
                for (row, to) in to.chunks_exact_mut(LANES).enumerate() {
                    to.copy_from_slice(&b[row * width + panel * LANES..][..LANES]);
                }
            }
        },
    );
}
