//! Symmetric matrices on the host, with factorizations in which some unknowns are held.
use super::disk::Disk;
use super::parameterize::ParameterizeError;
use glam::DVec2;
use ribbonmesh_linear::{Cholesky, Elimination};
use std::sync::Arc;

/// A symmetric matrix by rows: both triangles, columns that ascend, and all of the diagonal.
pub struct Matrix {
    order: Arc<Elimination>,
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}
impl Matrix {
    /// Finds an order of elimination.
    pub fn new(starts: Vec<u32>, columns: Vec<u32>, values: Vec<f64>) -> Result<Self, ParameterizeError> {
        let order = Elimination::new(starts.clone(), columns.clone())?;
        Ok(Self { order, starts, columns, values })
    }
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[i] as usize..self.starts[i + 1] as usize;
        self.columns[range.clone()].iter().map(|&j| j as usize).zip(self.values[range].iter().copied())
    }
    /// The product with a vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..x.len()).map(|i| self.row(i).map(|(j, value)| value * x[j]).sum()).collect()
    }
    /// Adds to the diagonal.
    pub fn add_to_diagonal(&mut self, by: impl Fn(usize) -> f64) {
        for i in 0..self.starts.len() - 1 {
            for k in self.starts[i] as usize..self.starts[i + 1] as usize {
                if self.columns[k] as usize == i {
                    self.values[k] += by(i);
                }
            }
        }
    }
    /// The factorization by which the unknowns that are not held are solved for.
    /// # Errors
    /// [`ParameterizeError::Singular`] where rounding leaves none; out of memory.
    pub fn factored(&self, held: Vec<bool>) -> Result<Factored<'_>, ParameterizeError> {
        let kept = |i: usize, (j, value): (usize, f64)| match held[i] || held[j] {
            true if i == j => 1.0,
            true => 0.0,
            false => value,
        };
        let values: Vec<f64> =
            (0..held.len()).flat_map(|i| self.row(i).map(move |entry| kept(i, entry))).collect();
        let factor = Cholesky::if_definite(&self.order, &values)?.ok_or(ParameterizeError::Singular)?;
        Ok(Factored { matrix: self, factor, held })
    }
}

/// Entries by rows, in each row by columns; those of one place stay in their order. Linear.
pub fn by_places<T: Copy>(rows: usize, entries: Vec<([u32; 2], T)>) -> Vec<([u32; 2], T)> {
    let grouped = |from: Vec<([u32; 2], T)>, part: usize| {
        let mut ends = vec![0; rows + 1];
        from.iter().for_each(|(place, _)| ends[place[part] as usize + 1] += 1);
        (0..rows).for_each(|i| ends[i + 1] += ends[i]);
        let mut to = from.clone();
        for entry in from {
            let end = &mut ends[entry.0[part] as usize];
            to[*end] = entry;
            *end += 1;
        }
        to
    };
    grouped(grouped(entries, 1), 0)
}

/// The neighbours of each vertex, itself among them, in ascending order: where each list starts, and the end.
pub fn neighbours(disk: &Disk) -> (Vec<u32>, Vec<u32>) {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]];
    let all = disk.corners.iter().flat_map(sides).chain((0..disk.vertices as u32).map(|v| [v, v]));
    let sorted = by_places(disk.vertices, all.map(|edge| (edge, ())).collect());
    let mut edges: Vec<[u32; 2]> = sorted.into_iter().map(|(edge, ())| edge).collect();
    edges.dedup();
    let mut starts = vec![0; disk.vertices + 1];
    edges.iter().for_each(|[v, _]| starts[*v as usize + 1] += 1);
    for v in 0..disk.vertices {
        starts[v + 1] += starts[v];
    }
    (starts, edges.into_iter().map(|edge| edge[1]).collect())
}

/// A factorization of the rows and columns that are not held.
pub struct Factored<'a> {
    matrix: &'a Matrix,
    factor: Cholesky,
    held: Vec<bool>,
}
impl Factored<'_> {
    /// x with A x = b in all rows that are not held, where x has these values in those that are.
    pub fn solve(&self, b: &[f64], values: impl Fn(usize) -> f64) -> Result<Vec<f64>, ParameterizeError> {
        let n = self.held.len();
        let fixed: Vec<f64> = (0..n).map(|i| if self.held[i] { values(i) } else { 0.0 }).collect();
        let product = self.matrix.times(&fixed);
        let mut x: Vec<f64> =
            (0..n).map(|i| if self.held[i] { fixed[i] } else { b[i] - product[i] }).collect();
        self.factor.solve(&mut x, 1)?;
        Ok(x)
    }
    /// Two functions for which A x = 0 in all rows that are not held, with these values in those that are: in
    /// one solve.
    pub fn harmonic(&self, values: impl Fn(usize) -> DVec2) -> Result<Vec<DVec2>, ParameterizeError> {
        let n = self.held.len();
        let fixed: Vec<DVec2> = (0..n).map(|i| if self.held[i] { values(i) } else { DVec2::ZERO }).collect();
        let right = |i: usize| match self.held[i] {
            true => fixed[i],
            false => -self.matrix.row(i).map(|(j, value)| value * fixed[j]).sum::<DVec2>(),
        };
        let mut x: Vec<f64> = (0..n).flat_map(|i| right(i).to_array()).collect();
        self.factor.solve(&mut x, 2)?;
        Ok(x.chunks_exact(2).map(DVec2::from_slice).collect())
    }
}
