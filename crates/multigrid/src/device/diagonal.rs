//! Blocks of the diagonal, and unknowns that are fixed.
use super::rows::{Rows, for_each_row};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, NONE, Out, kernel};

/// The place of each row's block of the diagonal; the smallest row without one is stored in `wrong[0]`.
/// Elements: rows.
#[kernel(threads = 256)]
pub fn find_diagonal<'a>(row: Each, rows: Rows<'a>, to: Out<'a, u32>, wrong: Out<'a, u32>) {
    let place = rows.find(row, row).unwrap_or(NONE);
    if place == NONE {
        atomic::fetch_min(wrong, 0, row, Relaxed, Device);
    }
    to.set(row, place);
}
/// Rows and columns of fixed unknowns become those of the unit matrix: bit `k` of a node's word says that its
/// unknown `k` is fixed. Elements: numbers.
#[kernel(threads = 256)]
pub fn isolate_fixed<'a>(
    i: Each,
    size: u32,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    words: In<'a, u32>,
    values: Out<'a, f64>,
) {
    let (place, k) = (i / (size * size), i % (size * size));
    let (row, column) = (rows.get(place), columns.get(place));
    let (r, c) = (k / size, k % size);
    if (words.get(row) >> r | words.get(column) >> c) & 1 == 1 {
        values.set(i, if row == column && r == c { 1.0 } else { 0.0 });
    }
}
/// Modes are 0 where unknowns are fixed. Elements: numbers.
#[kernel(threads = 256)]
pub fn fix_modes<'a>(i: Each, size: u32, width: u32, words: In<'a, u32>, modes: Out<'a, f64>) {
    let unknown = i / width;
    if words.get(unknown / size) >> (unknown % size) & 1 == 1 {
        modes.set(i, 0.0);
    }
}

/// Pivots below this part of the diagonal belong to unknowns that depend on others.
const TINY: f64 = 1e-12;

/// The inverted blocks of the diagonal, with zeros where unknowns are fixed. With `lenient`, unknowns without
/// a number on the diagonal, which no function of the finer level has, get the block's greatest one, and
/// their bit in `words`; a block that is not positive definite gets something smaller than an inverse.
/// Otherwise the smallest node with such a block is stored in `wrong[0]`. Blocks: nodes.
#[kernel(for N in [1, 3, 6], threads = 128)]
pub fn invert_diagonal<'a, const N: usize>(
    block: &Block,
    n: u32,
    lenient: u32,
    diagonal: In<'a, u32>,
    values: Out<'a, f64>,
    words: Out<'a, u32>,
    inverse: Out<'a, f32>,
    wrong: Out<'a, u32>,
) {
    let size = N as u32;
    for_each_row(block, n, |node| {
        let from = diagonal.get(node) * size * size;
        let at = |i: usize, j: usize| from + i as u32 * size + j as u32;
        let (mut word, mut most) = (words.get(node), 0.0_f64);
        let mut lower = [[0.0_f64; N]; N];
        let mut k = 0;
        while k < N {
            let own = values.get(at(k, k));
            if own > most {
                most = own;
            }
            k += 1;
        }
        k = 0;
        while k < N {
            let own = values.get(at(k, k));
            if lenient != 0 && (own <= 0.0 || own.is_nan()) {
                values.set(at(k, k), if most > 0.0 { most } else { 1.0 });
                word |= 1 << k;
            }
            k += 1;
        }
        let mut sound = true;
        let mut i = 0;
        while i < N {
            let mut j = 0;
            while j <= i {
                let (mut left, mut l) = (values.get(at(i, j)), 0);
                while l < j {
                    left -= lower[i][l] * lower[j][l];
                    l += 1;
                }
                lower[i][j] = if j < i {
                    left / lower[j][j]
                } else {
                    sound = sound && left > TINY * values.get(at(i, i)) && left < f64::INFINITY;
                    libm::sqrt(left)
                };
                j += 1;
            }
            i += 1;
        }
        words.set(node, word);
        if !sound && lenient == 0 {
            atomic::fetch_min(wrong, 0, node, Relaxed, Device);
        }
        let mut column = 0;
        while column < N {
            // L y = e, Lᵀ x = y
            let mut x = [0.0_f64; N];
            let mut i = column;
            while i < N {
                let (mut left, mut l) = (if i == column { 1.0 } else { 0.0 }, column);
                while l < i {
                    left -= lower[i][l] * x[l];
                    l += 1;
                }
                x[i] = left / lower[i][i];
                i += 1;
            }
            let mut i = N;
            while i > 0 {
                i -= 1;
                let (mut left, mut l) = (x[i], i + 1);
                while l < N {
                    left -= lower[l][i] * x[l];
                    l += 1;
                }
                x[i] = left / lower[i][i];
            }
            let mut i = 0;
            while i < N {
                let number = if (word >> i | word >> column) & 1 == 1 {
                    0.0
                } else if sound {
                    x[i]
                } else if i == column {
                    1.0 / (N as f64 * values.get(at(i, i)))
                } else {
                    0.0
                };
                inverse.set((node * size + i as u32) * size + column as u32, number as f32);
                i += 1;
            }
            column += 1;
        }
    });
}
