//! Heat by a factorization on the host, and what it carries.
use super::carry::{Burdens, Carries, Lane};
use crate::device::carried::Planar;
use ribbonmesh::Result;
use ribbonmesh_intrinsic::Laplacian;
use ribbonmesh_linear::{Cholesky, Elimination};
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
    /// The greatest of them, or 1.
    typical: f64,
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
        let most = scales.iter().copied().fold(0.0, f64::max);
        let typical = if most > 0.0 { most } else { 1.0 };
        Ok(Cholesky::if_definite(order, &values)?.map(|factor| Self { factor, scales, typical }))
    }
    /// The heat that a source gives, for a matrix with a unit diagonal. Scales of vertices are of one size,
    /// as masses are, and need not be counted as digits.
    fn source(&self, v: usize) -> f64 {
        self.scales[v] * f64::exp2(SOURCE.into()) / self.typical
    }
    /// The heat from the vertices of each list, in one solve, for a matrix with a unit diagonal.
    fn heat(&self, each: &[Vec<u32>]) -> Result<Vec<f64>> {
        let lanes = each.len();
        let mut x = vec![0.0; self.scales.len() * lanes];
        for (lane, sources) in each.iter().enumerate() {
            for &source in sources {
                x[source as usize * lanes + lane] = self.source(source as usize);
            }
        }
        self.factor.solve(&mut x, lanes)?;
        Ok(x)
    }
    /// Whether so much of that heat has not lost digits.
    fn is_precise(x: f64) -> bool {
        x > f64::exp2(LEAST.into())
    }
    /// Its logarithm, or −∞.
    fn logarithm(&self, v: usize, x: f64) -> f64 {
        let zero = f64::from(SOURCE) * std::f64::consts::LN_2 - self.typical.ln();
        if Self::is_precise(x) { x.ln() + self.scales[v].ln() - zero } else { f64::NEG_INFINITY }
    }
    /// The logarithms of the heat from the vertices of each list, in one solve; −∞ where it is too small for
    /// a double, and where no heat comes.
    pub fn logarithms(&self, each: &[Vec<u32>]) -> Result<Vec<Vec<f64>>> {
        let (n, lanes, x) = (self.scales.len(), each.len(), self.heat(each)?);
        let lane = |lane| (0..n).map(|v| self.logarithm(v, x[v * lanes + lane])).collect();
        Ok((0..lanes).map(lane).collect())
    }
}

/// The matrices of heat and of vectors that it carries, factored.
pub struct FactoredVectors {
    scalar: Factored,
    vector: Cholesky,
    time: f64,
}
impl FactoredVectors {
    /// `turns` has how vectors turn along entries of the rows. `None` without a factorization.
    pub fn new(of: &Laplacian, scalar: Factored, time: f64, turns: &[Planar]) -> Result<Option<Self>> {
        let (from, to) = (of.starts().read()?, of.columns().read()?);
        let weights = of.values().read()?;
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for (v, range) in from.windows(2).enumerate() {
            for part in 0..2 {
                for k in range[0] as usize..range[1] as usize {
                    let w = to[k];
                    let scale = time * scalar.scales[v] * scalar.scales[w as usize];
                    let value = if v == w as usize { 1.0 } else { scale * weights[k].min(0.0) };
                    let [x, y] = [value * turns[k][0], value * turns[k][1]];
                    columns.extend([2 * w, 2 * w + 1]);
                    values.extend(if part == 0 { [x, -y] } else { [y, x] });
                }
                starts.push(columns.len() as u32);
            }
        }
        let vector = Cholesky::if_definite(&Elimination::new(starts, columns)?, &values)?;
        Ok(vector.map(|vector| Self { scalar, vector, time }))
    }
    /// The logarithms of the heat from the vertices of each list, and what it carries, where it is not too
    /// small for a double: three solves, for all heat, all vectors and all numbers.
    pub fn heat(&self, of: &Laplacian, each: &[Vec<u32>], with: &mut [Burdens<'_>]) -> Result<Vec<Vec<f64>>> {
        let (n, lists, all) = (self.scalar.scales.len(), each.len(), self.scalar.heat(each)?);
        let own = |list| (0..n).map(|v| all[v * lists + list]).collect();
        let heats: Vec<Vec<f64>> = (0..lists).map(own).collect();
        let (mut vectors, mut numbers) = (vec![], vec![]);
        for (with, x) in with.iter_mut().zip(&heats) {
            vectors.extend(with.vectors.iter_mut().map(|lane| (lane, x)));
            numbers.extend(with.numbers.iter_mut().map(|lane| (lane, x)));
        }
        self.carry(of, &self.vector, vectors)?;
        self.carry(of, &self.scalar.factor, numbers)?;
        let logarithms =
            |x: &Vec<f64>| x.iter().enumerate().map(|(v, &x)| self.scalar.logarithm(v, x)).collect();
        Ok(heats.iter().map(logarithms).collect())
    }
    /// Solves for all lanes at once, each with the heat that carries it.
    fn carry<N: Carries>(
        &self,
        of: &Laplacian,
        factor: &Cholesky,
        lanes: Vec<(&mut Lane<'_, N>, &Vec<f64>)>,
    ) -> Result<()> {
        let (n, many) = (self.scalar.scales.len(), lanes.len());
        if many == 0 {
            return Ok(());
        }
        // number c of lane l at vertex v: row c + v N::LANES, column l
        let place = |v: usize, c: usize, lane: usize| (v * N::LANES + c) * many + lane;
        let mut all = vec![0.0; n * N::LANES * many];
        for (at, (lane, x)) in lanes.iter().enumerate() {
            for (v, own) in self.right_hand_side(of, lane, x)?.iter().enumerate() {
                let numbers: &[f64] = bytemuck::cast_slice(std::slice::from_ref(own));
                numbers.iter().enumerate().for_each(|(c, &number)| all[place(v, c, at)] = number);
            }
        }
        factor.solve(&mut all, many)?;
        for (at, (lane, x)) in lanes.into_iter().enumerate() {
            let mut known = vec![N::ZERO; n];
            for (v, own) in known.iter_mut().enumerate().filter(|&(v, _)| Factored::is_precise(x[v])) {
                let numbers: &mut [f64] = bytemuck::cast_slice_mut(std::slice::from_mut(own));
                numbers.iter_mut().enumerate().for_each(|(c, number)| *number = all[place(v, c, at)]);
                *own = own.times(1.0 / x[v]);
            }
            lane.known.write(&known)?;
        }
        Ok(())
    }
    /// The gifts of sources, and the sums of ways.
    fn right_hand_side<N: Carries>(&self, of: &Laplacian, lane: &Lane<'_, N>, x: &[f64]) -> Result<Vec<N>> {
        let given = lane.given.read()?;
        let mut right: Vec<N> = (0..).zip(given).map(|(v, own)| own.times(self.scalar.source(v))).collect();
        let Some(ways) = lane.ways else { return Ok(right) };
        let (starts, columns) = (of.starts().read()?, of.columns().read()?);
        let (weights, ways) = (of.values().read()?, ways.read()?);
        for (v, range) in starts.windows(2).enumerate() {
            for k in range[0] as usize..range[1] as usize {
                let w = columns[k] as usize;
                if v != w {
                    let heat = -weights[k].min(0.0) * x[w] * self.scalar.scales[w];
                    right[v] = right[v].plus(self.time * self.scalar.scales[v] * heat, ways[k]);
                }
            }
        }
        Ok(right)
    }
}
