//! From coarser unknowns to finer ones.
use super::aggregates::{Aggregates, NONE};
use super::blocks::{Blocks, Rows};
use rayon::prelude::*;
use ribbonmesh::glam::DVec3;

/// The values of motions that cost no energy at a node: for each of its unknowns a row of one number per
/// motion.
pub type Motions = Vec<Vec<f64>>;

/// The motions without energy: the six rigid motions for elasticity, the constant for one unknown per node; 0
/// where unknowns are fixed.
pub fn motions(size: usize, points: &[DVec3], fixed: &[u32]) -> Motions {
    let count = if size == 3 { 6 } else { 1 };
    let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let at = |(point, word): (&DVec3, &u32)| {
        let [x, y, z] = (*point - middle).to_array();
        let mut own = if size == 3 {
            vec![1.0, 0.0, 0.0, 0.0, z, -y, 0.0, 1.0, 0.0, -z, 0.0, x, 0.0, 0.0, 1.0, y, -x, 0.0]
        } else {
            vec![1.0]
        };
        own.chunks_exact_mut(count)
            .enumerate()
            .filter(|(k, _)| word >> k & 1 == 1)
            .for_each(|(_, r)| r.fill(0.0));
        own
    };
    points.iter().zip(fixed).map(at).collect()
}

/// From functions of order 1 to functions of a higher order, whose space contains them; `supports` as in
/// `Space::supports`.
pub fn of_order(
    size: usize,
    supports: &[Vec<(u32, u32)>],
    order: u32,
    vertices: usize,
    fixed: &[u32],
) -> Blocks {
    let order = f64::from(order);
    let row = |(): &mut (), row: usize, made: &mut Rows| {
        for &(vertex, weight) in &supports[row] {
            made.indices.push(vertex);
            for i in 0..size {
                for j in 0..size {
                    let kept = i == j && (fixed[row] | fixed[vertex as usize]) >> i & 1 == 0;
                    made.values.push(if kept { f64::from(weight) / order } else { 0.0 });
                }
            }
        }
    };
    Blocks::build([size, size], vertices, supports.len(), || (), row)
}

/// Columns whose length after Gram and Schmidt's step is below this part of their length before it do not
/// become unknowns.
const DEPENDENT: f64 = 1e-5;

/// Each aggregate's unknowns are the motions on its nodes, made orthonormal; with the motions as the coarser
/// level has them.
pub fn tentative(aggregates: &Aggregates, height: usize, motions: &Motions) -> (Blocks, Motions) {
    let width = motions.first().map_or(1, |own| own.len() / height);
    let mut members = vec![vec![]; aggregates.count];
    for (node, &own) in aggregates.of.iter().enumerate() {
        if own != NONE {
            members[own as usize].push(node);
        }
    }
    let decomposed: Vec<(Vec<f64>, Vec<f64>)> = members
        .par_iter()
        .map(|nodes| {
            let mut q: Vec<f64> = nodes.iter().flat_map(|&node| motions[node].iter().copied()).collect();
            let r = orthonormalize(&mut q, width);
            (q, r)
        })
        .collect();
    // index of each node within its aggregate
    let mut places = vec![0; aggregates.of.len()];
    members.iter().for_each(|nodes| nodes.iter().enumerate().for_each(|(k, &node)| places[node] = k));
    let numbers = height * width;
    let row = |(): &mut (), node: usize, made: &mut Rows| {
        let own = aggregates.of[node];
        if own != NONE {
            made.indices.push(own);
            let (q, _) = &decomposed[own as usize];
            made.values.extend_from_slice(&q[places[node] * numbers..][..numbers]);
        }
    };
    let first = Blocks::build([height, width], aggregates.count, aggregates.of.len(), || (), row);
    let coarse = decomposed.into_iter().map(|(_, r)| r).collect();
    (first, coarse)
}

/// Makes columns orthonormal (Gram and Schmidt, twice), or 0 if they depend on the columns before. Returns
/// the triangular matrix by which they are multiplied to get the original columns.
fn orthonormalize(q: &mut [f64], width: usize) -> Vec<f64> {
    let mut r = vec![0.0; width * width];
    let dot =
        |q: &[f64], a: usize, b: usize| -> f64 { q.chunks_exact(width).map(|row| row[a] * row[b]).sum() };
    for k in 0..width {
        let before = dot(q, k, k).sqrt();
        for _ in 0..2 {
            for j in 0..k {
                let part = dot(q, j, k);
                r[j * width + k] += part;
                q.chunks_exact_mut(width).for_each(|row| row[k] -= part * row[j]);
            }
        }
        let length = dot(q, k, k).sqrt();
        let kept = length > DEPENDENT * before;
        if kept {
            r[k * width + k] = length;
        }
        q.chunks_exact_mut(width).for_each(|row| row[k] = if kept { row[k] / length } else { 0.0 });
    }
    r
}

/// A step of damped Jacobi on the columns, which makes neighbours overlap: P = (1 - ω D⁻¹ A) P₀ with ω = 4/3
/// by the greatest eigenvalue.
pub fn smoothed(a: &Blocks, first: &Blocks, inverse: &[f64], greatest: f64) -> Blocks {
    let (h, w) = (first.height(), first.width());
    let product = a.times(first);
    let omega = 4.0 / 3.0 / (SAFE * greatest);
    let row = |(): &mut (), row: usize, made: &mut Rows| {
        let (own, begin) = (&inverse[row * h * h..][..h * h], made.indices.len());
        for (column, block) in product.row(row) {
            made.indices.push(column as u32);
            for own in own.chunks_exact(h) {
                let sum =
                    |j: usize| -> f64 { own.iter().zip(block.chunks_exact(w)).map(|(a, b)| a * b[j]).sum() };
                made.values.extend((0..w).map(|j| -omega * sum(j)));
            }
        }
        // the diagonal of the matrix makes these columns a part of the product's
        for (column, block) in first.row(row) {
            if let Some(at) = made.indices[begin..].iter().position(|c| *c as usize == column) {
                let to = &mut made.values[(begin + at) * h * w..][..h * w];
                to.iter_mut().zip(block).for_each(|(to, from)| *to += from);
            }
        }
    };
    Blocks::build([h, w], first.columns(), a.rows(), || (), row)
}
/// Estimates of the greatest eigenvalue are from below.
pub const SAFE: f64 = 1.1;
