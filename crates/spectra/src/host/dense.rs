//! Small matrices as dense ones.
use super::block::panels;
use super::problem::{LANES, Problem};
use super::small;
use faer::Mat;
use ribbonmesh::{Buffer, Result};

/// The lowest eigenpairs, with vectors in panels. The third power of the number of rows.
pub fn lowest(problem: &dyn Problem, count: usize) -> Result<(Vec<f64>, Buffer<f64>)> {
    let (device, n) = (problem.device(), problem.unknowns());
    let live: Vec<usize> =
        problem.roots().read()?.iter().enumerate().filter(|(_, root)| **root > 0.0).map(|(i, _)| i).collect();
    let all = panels(n);
    let place = |row: usize, column: usize| (column / LANES * n + row) * LANES + column % LANES;
    let mut unit = vec![0.0; n * all * LANES];
    (0..n).for_each(|i| unit[place(i, i)] = 1.0);
    let (unit, mut columns) = (device.upload(&unit)?, device.zeros(n * all * LANES)?);
    problem.multiply(all, &unit, &mut columns)?;
    let columns = columns.read()?;
    let matrix = Mat::from_fn(live.len(), live.len(), |i, j| columns[place(live[i], live[j])]);
    let (mut values, vectors) = small::eigen(matrix.as_ref())?;
    values.truncate(count);
    let mut to = vec![0.0; n * panels(count) * LANES];
    for j in 0..count {
        for (i, &row) in live.iter().enumerate() {
            to[place(row, j)] = vectors[(i, j)];
        }
    }
    Ok((values, device.upload(&to)?))
}
