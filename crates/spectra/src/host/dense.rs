//! Small matrices as dense ones.
use super::columns::panels;
use super::problem::{LANES, Problem};
use super::small;
use faer::Mat;
use ribbonmesh::{Buffer, Result};

/// The lowest eigenpairs, with vectors in panels: first those that are known. The third power of the number
/// of rows.
pub fn lowest(problem: &dyn Problem, count: usize, known: usize) -> Result<(Vec<f64>, Buffer<f64>)> {
    let (device, n) = (problem.device(), problem.unknowns());
    let roots = problem.roots().read()?;
    let live: Vec<usize> = (0..n).filter(|&i| roots[i] > 0.0).collect();
    let all = panels(n);
    let place = |row: usize, column: usize| (column / LANES * n + row) * LANES + column % LANES;
    let mut unit = vec![0.0; n * all * LANES];
    (0..n).for_each(|i| unit[place(i, i)] = 1.0);
    let (unit, mut columns) = (device.upload(&unit)?, device.zeros(n * all * LANES)?);
    problem.multiply(all, &unit, &mut columns)?;
    let columns = columns.read()?;
    let mut matrix = Mat::from_fn(live.len(), live.len(), |i, j| columns[place(live[i], live[j])]);
    // those that are known get an eigenvalue beyond all others
    let vectors = problem.known_vectors(known)?.read()?;
    let zeros = Mat::from_fn(live.len(), known, |i, k| roots[live[i]] * vectors[known * live[i] + k]);
    let beyond = 2.0 * (0..live.len()).map(|i| matrix.row(i).norm_l1()).fold(0.0, f64::max);
    matrix += faer::Scale(beyond) * (&zeros * zeros.transpose());
    let (mut values, vectors) = small::eigen(matrix.as_ref())?;
    values.splice(0..0, vec![0.0; known]);
    values.truncate(count);
    let mut to = vec![0.0; n * panels(count) * LANES];
    for j in known..count {
        for (i, &row) in live.iter().enumerate() {
            to[place(row, j)] = vectors[(i, j - known)];
        }
    }
    Ok((values, device.upload(&to)?))
}
