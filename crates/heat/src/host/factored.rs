//! Heat by a factorization on the host.
use super::cholesky::{Cholesky, Elimination};
use ribbonmesh::Result;
use ribbonmesh_intrinsic::Laplacian;
use std::sync::Arc;

/// Binary digits of the heat that a source gets: far from where doubles overflow, with some to spare for what
/// the inverse of the matrix has.
const SOURCE: i32 = 960;
/// The least heat that is kept, as the same: far from where doubles lose digits.
const LEAST: i32 = -960;

/// The matrix of heat, M + t L, factored.
///
/// It adds positive numbers alone, since weights below 0 count as 0: each number is right to its own last
/// digits. A step of an edge divides heat by 2.6 or so, and 1,920 binary digits are 1,390 such steps.
pub struct Factored {
    factor: Cholesky,
    /// 1 / √ of the diagonal, or 0.
    scales: Vec<f64>,
}
impl Factored {
    /// `scales` has 1 / √ of the diagonal of the matrix, or 0 for a vertex without triangles. `None` where
    /// the matrix has no factorization.
    pub fn new(
        of: &Laplacian,
        order: &Arc<Elimination>,
        time: f64,
        scales: Vec<f64>,
    ) -> Result<Option<Self>> {
        let (starts, columns) = (of.starts().read()?, of.columns().read()?);
        let mut values = of.values().read()?;
        for (v, range) in starts.windows(2).enumerate() {
            for k in range[0] as usize..range[1] as usize {
                let w = columns[k] as usize;
                values[k] = if v == w { 1.0 } else { time * values[k].min(0.0) * scales[v] * scales[w] };
            }
        }
        Ok(Cholesky::if_definite(order, &values)?.map(|factor| Self { factor, scales }))
    }
    /// The logarithms of the heat from the vertices of each list, in one solve; −∞ where it is too small for
    /// a double, and where no heat comes.
    pub fn logarithms(&self, each: &[Vec<u32>]) -> Result<Vec<Vec<f64>>> {
        let (n, lanes) = (self.scales.len(), each.len());
        let mut x = vec![0.0; n * lanes];
        for (lane, sources) in each.iter().enumerate() {
            for &source in sources {
                x[source as usize * lanes + lane] = self.scales[source as usize] * f64::exp2(SOURCE.into());
            }
        }
        // scales of vertices are of one size, as masses are, and need not be counted as digits
        let typical = self.scales.iter().copied().fold(0.0, f64::max);
        if typical > 0.0 {
            x.iter_mut().for_each(|x| *x /= typical);
        }
        self.factor.solve(&mut x, lanes)?;
        let zero = f64::from(SOURCE) * std::f64::consts::LN_2 - typical.ln();
        let least = f64::exp2(LEAST.into());
        let logarithm = |v: usize, x: f64| {
            if x > least { x.ln() + self.scales[v].ln() - zero } else { f64::NEG_INFINITY }
        };
        let lane = |lane| (0..n).map(|v| logarithm(v, x[v * lanes + lane])).collect();
        Ok((0..lanes).map(lane).collect())
    }
}
