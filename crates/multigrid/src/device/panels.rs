//! Factors of a small dense matrix by panels of four columns, in shared memory.
use super::tiles::triangle;
use ribbonmesh::device::{Arena, Block, Quad, Shared};

/// Pivots below this part of the diagonal count as this part: a matrix that has been rounded to single
/// precision may have lost them.
const LEAST: f64 = 1e-7;

/// Columns that are eliminated at once.
pub const PANEL: u32 = 4;
/// Numbers of a row in the columns of a panel.
type Four = [f64; PANEL as usize];

/// Shared memory for a matrix and its factors.
#[derive(Clone, Copy)]
pub struct FactorRoom<'b> {
    /// A lower triangle, by rows.
    pub a: Shared<'b, f64>,
    /// Diagonal entries, then inverses of pivots.
    pub inverse: Shared<'b, f64>,
    /// Rows of a panel, and its diagonal entries.
    panel: Shared<'b, Quad>,
    /// Numbers of a panel for each row.
    staged: Shared<'b, Quad>,
}
/// Memory for up to `most` rows.
pub fn factor_room(arena: &Arena, most: u32) -> FactorRoom<'_> {
    let rows = most.next_multiple_of(PANEL);
    let (a, inverse) = (arena.take(triangle(rows)), arena.take(rows));
    FactorRoom { a, inverse, panel: arena.take(2 * PANEL + 2), staged: arena.take(2 * rows) }
}
#[inline(always)]
fn set_four(to: Shared<'_, Quad>, i: u32, [a, b, c, d]: Four) {
    to.set(2 * i, Quad(bytemuck::cast([a, b])));
    to.set(2 * i + 1, Quad(bytemuck::cast([c, d])));
}
#[inline(always)]
fn get_four(from: Shared<'_, Quad>, i: u32) -> Four {
    let [a, b]: [f64; 2] = bytemuck::cast(from.get(2 * i).0);
    let [c, d]: [f64; 2] = bytemuck::cast(from.get(2 * i + 1).0);
    [a, b, c, d]
}
/// `sum - by of`.
#[inline(always)]
fn less([a, b, c, d]: Four, by: f64, [e, f, g, h]: Four) -> Four {
    [a - by * e, b - by * f, c - by * g, d - by * h]
}
impl FactorRoom<'_> {
    /// Makes L D below the diagonal, and the inverses of pivots. By panels: sums over columns before, then
    /// the panel itself, of which each thread computes the square on the diagonal.
    #[inline(always)]
    pub fn factor(&self, block: &Block, rows: u32) {
        let Self { a, inverse, panel, staged } = *self;
        let mut p = 0;
        while p < rows {
            let own = |i: u32| {
                let at = |k: u32| if p + k <= i { a.get(triangle(i) + p + k) } else { 0.0 };
                [at(0), at(1), at(2), at(3)]
            };
            block.for_each(p, |l| {
                let at = |k: u32| a.get(triangle(p + k) + l) * inverse.get(l);
                set_four(staged, l, [at(0), at(1), at(2), at(3)]);
            });
            block.for_each(rows - p, |k| {
                let (i, mut l) = (p + k, 0);
                let mut sum = own(i);
                while l < p {
                    sum = less(sum, a.get(triangle(i) + l), get_four(staged, l));
                    l += 1;
                }
                let set = |k: u32, sum: f64| {
                    if p + k <= i {
                        a.set(triangle(i) + p + k, sum);
                    }
                };
                let [x, y, z, w] = sum;
                set(0, x);
                set(1, y);
                set(2, z);
                set(3, w);
                if k < PANEL {
                    set_four(panel, k, sum);
                }
                if k == 0 {
                    let diagonal = |k: u32| inverse.get(p + k);
                    set_four(panel, PANEL, [diagonal(0), diagonal(1), diagonal(2), diagonal(3)]);
                }
            });
            block.for_each(rows - p, |k| {
                let (i, diagonal) = (p + k, get_four(panel, PANEL));
                let pivot = |sum: f64, own: f64| {
                    let pivot = if sum > LEAST * own { sum } else { LEAST * own };
                    if own > 0.0 { 1.0 / pivot } else { 0.0 }
                };
                let [[a0, ..], [b0, b1, ..], [c0, c1, c2, _], [d0, d1, d2, d3]] =
                    [get_four(panel, 0), get_four(panel, 1), get_four(panel, 2), get_four(panel, 3)];
                let i0 = pivot(a0, diagonal[0]);
                let l1 = b0 * i0;
                let i1 = pivot(b1 - b0 * l1, diagonal[1]);
                let (m0, c1) = (c0 * i0, c1 - c0 * l1);
                let m1 = c1 * i1;
                let i2 = pivot(c2 - c0 * m0 - c1 * m1, diagonal[2]);
                let (n0, d1) = (d0 * i0, d1 - d0 * l1);
                let (n1, d2) = (d1 * i1, d2 - d0 * m0 - d1 * m1);
                let n2 = d2 * i2;
                let i3 = pivot(d3 - d0 * n0 - d1 * n1 - d2 * n2, diagonal[3]);
                let [x, y, z, w] = own(i);
                let y = y - x * l1;
                let z = z - x * m0 - y * m1;
                let w = w - x * n0 - y * n1 - z * n2;
                let set = |k: u32, number: f64, inverse_of: f64| {
                    if p + k < i {
                        a.set(triangle(i) + p + k, number);
                    } else if p + k == i {
                        inverse.set(i, inverse_of);
                    }
                };
                set(0, x, i0);
                set(1, y, i1);
                set(2, z, i2);
                set(3, w, i3);
            });
            p += PANEL;
        }
    }
    /// Makes the inverse of L below the diagonal, in place, from the last panel on.
    #[inline(always)]
    pub fn invert(&self, block: &Block, rows: u32) {
        let Self { a, inverse, staged, .. } = *self;
        let mut c = rows;
        while c > 0 {
            c -= PANEL;
            block.for_each(rows - c, |k| {
                let at = |column: u32| {
                    if column < k {
                        a.get(triangle(c + k) + c + column) * inverse.get(c + column)
                    } else if column == k {
                        1.0
                    } else {
                        0.0
                    }
                };
                set_four(staged, k, [at(0), at(1), at(2), at(3)]);
            });
            block.for_each(rows - c, |k| {
                let unit = |column: u32| (k == column) as u32 as f64;
                let (i, mut l, mut sum) = (c + k, PANEL, [unit(0), unit(1), unit(2), unit(3)]);
                while l < k {
                    sum = less(sum, a.get(triangle(i) + c + l), get_four(staged, l));
                    l += 1;
                }
                if k >= PANEL {
                    sum = less(sum, 1.0, get_four(staged, k));
                }
                let [[b0, ..], [c0, c1, ..], [d0, d1, d2, _]] =
                    [get_four(staged, 1), get_four(staged, 2), get_four(staged, 3)];
                let [x, y, z, w] = sum;
                let z = z - w * d2;
                let y = y - z * c1 - w * d1;
                let x = x - y * b0 - z * c0 - w * d0;
                let set = |column: u32, number: f64| {
                    if column < k {
                        a.set(triangle(i) + c + column, number);
                    }
                };
                set(0, x);
                set(1, y);
                set(2, z);
                set(3, w);
            });
        }
    }
}
