//! Steps by a factorization on the host.
use crate::smooth::StepReport;
use ribbonmesh::Result;
use ribbonmesh::glam::Vec3;
use ribbonmesh_linear::{Cholesky, Elimination};
use std::sync::Arc;

/// The matrix of a step on the host.
pub(crate) struct HostMatrix {
    /// Start of each row, and the end.
    pub starts: Vec<u32>,
    /// The neighbours.
    pub columns: Vec<u32>,
    /// The stiffness of the edge to each.
    pub values: Vec<f32>,
    /// Mass of each vertex.
    pub masses: Vec<f32>,
    /// Factors on the left and the right of the matrix; 0 where a vertex is fixed.
    pub scales: Vec<f32>,
}

/// Solutions for matrices with the same entries.
#[derive(Default)]
pub(crate) struct Direct {
    order: Option<Arc<Elimination>>,
}
impl Direct {
    /// Solves S (M + k L) S d = r, in double precision. `r` becomes d. `None`, and r as it was, where the
    /// matrix has no factorization.
    pub fn solve(&mut self, of: &HostMatrix, r: &mut [Vec3], tolerance: f64) -> Result<Option<StepReport>> {
        let (starts, columns, values) = of.rows();
        let order = match self.order.take() {
            Some(order) => order,
            None => Elimination::new(starts.clone(), columns.clone())?,
        };
        let factor = Cholesky::if_definite(&order, &values)?;
        self.order = Some(order);
        let Some(factor) = factor else { return Ok(None) };
        let right: Vec<f64> = r.iter().flat_map(|r| r.to_array().map(f64::from)).collect();
        let mut d = right.clone();
        factor.solve(&mut d, 3)?;
        for (r, d) in r.iter_mut().zip(d.as_chunks::<3>().0) {
            *r = Vec3::from_array(d.map(|d| d as f32));
        }
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let (reference, mut rest) = (square(&right), right);
        for v in 0..starts.len() - 1 {
            for k in starts[v] as usize..starts[v + 1] as usize {
                let w = columns[k] as usize;
                (0..3).for_each(|c| rest[3 * v + c] -= values[k] * d[3 * w + c]);
            }
        }
        let residual = if reference > 0.0 { (square(&rest) / reference).sqrt() } else { 0.0 };
        let converged = residual <= tolerance;
        Ok(Some(StepReport { iterations: 0, residual, converged, volume: None, held: 0 }))
    }
}

impl HostMatrix {
    /// All entries by rows, the diagonal among them; columns ascend. A fixed vertex has a row of the unit
    /// matrix.
    fn rows(&self) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
        let n = self.masses.len();
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        let mut row: Vec<(u32, f64)> = vec![];
        for v in 0..n {
            let own = self.starts[v] as usize..self.starts[v + 1] as usize;
            let stiffness = || self.values[own.clone()].iter().map(|&value| f64::from(value));
            let scale = f64::from(self.scales[v]);
            let diagonal = scale * scale * (f64::from(self.masses[v]) + stiffness().sum::<f64>());
            row.clear();
            row.push((v as u32, if scale == 0.0 { 1.0 } else { diagonal }));
            row.extend(
                self.columns[own.clone()]
                    .iter()
                    .zip(stiffness())
                    .map(|(&w, value)| (w, -scale * f64::from(self.scales[w as usize]) * value)),
            );
            row.sort_unstable_by_key(|&(w, _)| w);
            columns.extend(row.iter().map(|&(w, _)| w));
            values.extend(row.iter().map(|&(_, value)| value));
            starts.push(columns.len() as u32);
        }
        (starts, columns, values)
    }
}
