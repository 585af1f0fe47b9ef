//! From the unknowns of aggregates to those of nodes.
use super::rows::for_each_row;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::{Block, In, Out, kernel};

/// A column whose square, after the parts of the columns before are taken away, is below this part of what it
/// was does not become an unknown.
const DEPENDENT: f64 = 1e-10;

/// The modes of each aggregate on its nodes, made orthonormal, by Cholesky's decomposition of their products:
/// B = Q R. Modes that depend on those before become 0. `modes` has H × W numbers for each node, `q` as many
/// for each node with an aggregate, at `places`; `r` has W × W for each aggregate. Blocks: aggregates.
#[kernel(for (H, W) in [(1, 1), (3, 6), (6, 6)], threads = 128)]
pub fn orthonormalize<'a, const H: usize, const W: usize>(
    block: &Block,
    n: u32,
    groups: GroupsView<'a>,
    places: In<'a, u32>,
    modes: In<'a, f64>,
    q: Out<'a, f64>,
    r: Out<'a, f64>,
) {
    let numbers = (H * W) as u32;
    for_each_row(block, n, |aggregate| {
        let mut upper = [[0.0_f64; W]; W];
        groups.of(aggregate, |node| {
            let mut h = 0;
            while h < H {
                let from = node * numbers + (h * W) as u32;
                let mut j = 0;
                while j < W {
                    let b = modes.get(from + j as u32);
                    let mut i = 0;
                    while i <= j {
                        upper[i][j] += modes.get(from + i as u32) * b;
                        i += 1;
                    }
                    j += 1;
                }
                h += 1;
            }
        });
        let mut inverse = [0.0_f64; W];
        let mut k = 0;
        while k < W {
            let mut left = upper[k][k];
            let mut l = 0;
            while l < k {
                left -= upper[l][k] * upper[l][k];
                l += 1;
            }
            let kept = left > DEPENDENT * upper[k][k];
            let own = if kept { libm::sqrt(left) } else { 0.0 };
            inverse[k] = if kept { 1.0 / own } else { 0.0 };
            let mut j = k + 1;
            while j < W {
                let mut left = upper[k][j];
                let mut l = 0;
                while l < k {
                    left -= upper[l][k] * upper[l][j];
                    l += 1;
                }
                upper[k][j] = left * inverse[k];
                j += 1;
            }
            upper[k][k] = own;
            k += 1;
        }
        let mut i = 0;
        while i < W {
            let mut j = 0;
            while j < W {
                r.set(
                    (aggregate * W as u32 + i as u32) * W as u32 + j as u32,
                    if j < i { 0.0 } else { upper[i][j] },
                );
                j += 1;
            }
            i += 1;
        }
        groups.of(aggregate, |node| {
            let mut h = 0;
            while h < H {
                let from = node * numbers + (h * W) as u32;
                let to = places.get(node) * numbers + (h * W) as u32;
                let mut own = [0.0_f64; W];
                let mut j = 0;
                while j < W {
                    let mut left = modes.get(from + j as u32);
                    let mut l = 0;
                    while l < j {
                        left -= own[l] * upper[l][j];
                        l += 1;
                    }
                    own[j] = left * inverse[j];
                    q.set(to + j as u32, own[j]);
                    j += 1;
                }
                h += 1;
            }
        });
    });
}

/// P = P₀ - ω D⁻¹ (A P₀), in place of A P₀: a step of damped Jacobi on the columns, which makes aggregates
/// overlap. A node's aggregate is `of`, its part of P₀ stands at `firsts`. Blocks: columns of blocks.
#[kernel(for (H, W) in [(1, 1), (3, 6), (6, 6)], threads = 128)]
pub fn smooth_columns<'a, const H: usize, const W: usize>(
    block: &Block,
    n: u32,
    omega: f64,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    inverse: In<'a, f32>,
    of: In<'a, u32>,
    firsts: In<'a, u32>,
    first: In<'a, f64>,
    values: Out<'a, f64>,
) {
    let (w, numbers) = (W as u32, (H * W) as u32);
    for_each_row(block, n, |i| {
        let (place, j) = (i / w, i % w);
        let row = rows.get(place);
        let own = of.get(row) == columns.get(place);
        let mut column = [0.0_f64; H];
        let mut k = 0;
        while k < H {
            column[k] = values.get(place * numbers + k as u32 * w + j);
            k += 1;
        }
        let mut h = 0;
        while h < H {
            let (mut sum, mut k) = (0.0, 0);
            while k < H {
                sum += inverse.get((row * H as u32 + h as u32) * H as u32 + k as u32) as f64 * column[k];
                k += 1;
            }
            let before = if own { first.get(firsts.get(row) * numbers + h as u32 * w + j) } else { 0.0 };
            values.set(place * numbers + h as u32 * w + j, before - omega * sum);
            h += 1;
        }
    });
}
