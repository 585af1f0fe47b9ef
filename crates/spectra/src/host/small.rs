//! Small dense matrices.
use faer::linalg::solvers::{Llt, SelfAdjointEigen};
use faer::{Mat, MatRef, Side};
use ribbonmesh::{Error, Result};

/// Directions whose length shrinks below this are left out, as parts of what is there.
const DEPENDENT: f64 = 1e-10;
/// Columns of unit length that are all farther than this from those before them are made orthonormal by
/// Cholesky's factor.
const APART: f64 = 0.01;
/// Squared lengths that are left of directions, as parts of before, below which rounding has them.
const ROUNDED: f64 = 1e-13;

fn failed(what: &str) -> Error {
    Error::Invalid(format!("{what} of the small matrix failed: numbers are not finite"))
}
/// Eigenvalues of a symmetric matrix, ascending, and its eigenvectors.
pub fn eigen(a: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let found = SelfAdjointEigen::new(a, Side::Lower).map_err(|_| failed("the eigenvalues"))?;
    let values = found.S().column_vector().iter().copied().collect();
    Ok((values, found.U().to_owned()))
}
/// Factors that make columns orthonormal, one column for each that is independent, from their products: by
/// Cholesky's factor if they are far from dependent, by eigenvectors otherwise (Stathopoulos and Wu, *A block
/// orthogonalization procedure with constant synchronization requirements*, 2002). `lengths` are squared
/// lengths before something was subtracted.
pub fn orthonormal(gram: MatRef<'_, f64>, lengths: &[f64]) -> Result<Mat<f64>> {
    let n = gram.nrows();
    let kept: Vec<usize> =
        (0..n).filter(|&i| gram[(i, i)] > ROUNDED * lengths[i] && lengths[i] > 0.0).collect();
    let by = |i: usize| 1.0 / gram[(i, i)].sqrt();
    let scaled =
        Mat::from_fn(kept.len(), kept.len(), |i, j| gram[(kept[i], kept[j])] * by(kept[i]) * by(kept[j]));
    if let Some(factor) = far_apart(scaled.as_ref()) {
        let within = solve_upper(factor.L(), Mat::identity(kept.len(), kept.len()));
        let mut factors = Mat::zeros(n, kept.len());
        for j in 0..kept.len() {
            for (i, &row) in kept.iter().enumerate().take(j + 1) {
                factors[(row, j)] = by(row) * within[(i, j)];
            }
        }
        return Ok(factors);
    }
    let (values, vectors) = eigen(scaled.as_ref())?;
    let greatest = values.last().copied().unwrap_or(0.0);
    let first = values.iter().position(|&value| value > DEPENDENT * greatest).unwrap_or(values.len());
    let mut factors = Mat::zeros(n, values.len() - first);
    for (j, k) in (first..values.len()).enumerate() {
        let root = 1.0 / values[k].sqrt();
        for (i, &row) in kept.iter().enumerate() {
            factors[(row, j)] = by(row) * vectors[(i, k)] * root;
        }
    }
    Ok(factors)
}
/// Cholesky's factor of the products of columns of unit length, if they are far from dependent.
fn far_apart(gram: MatRef<'_, f64>) -> Option<Llt<f64>> {
    let factor = Llt::new(gram, Side::Lower).ok()?;
    (0..gram.nrows()).all(|i| factor.L()[(i, i)] > APART).then_some(factor)
}

/// The step of Rayleigh and Ritz in a basis whose products are `gram`, close to the unit matrix, and whose
/// products by the matrix are `energy`.
pub struct Ritz {
    /// The lowest eigenvalues.
    pub values: Vec<f64>,
    /// Factors of the basis that give the approximations.
    pub x: Mat<f64>,
    /// Factors of the basis that give the steps, orthogonal to the approximations.
    pub p: Mat<f64>,
    /// Products of the steps by the matrix.
    pub energy: Mat<f64>,
}
impl Ritz {
    /// With `count` approximations, and steps of those that are listed: their parts beyond the first `old`
    /// columns of the basis (Hetmaniuk and Lehoucq, *Basis selection in LOBPCG*, 2006; Duersch and others,
    /// *A robust and efficient implementation of LOBPCG*, 2018).
    pub fn new(
        gram: MatRef<'_, f64>,
        energy: MatRef<'_, f64>,
        count: usize,
        old: usize,
        active: &[usize],
    ) -> Result<Self> {
        let factor = Llt::new(gram, Side::Lower).map_err(|_| failed("the factor"))?;
        let lower = factor.L();
        // L⁻¹ H L⁻ᵀ
        let half = solve_lower(lower, energy.to_owned());
        let mut inner = solve_lower(lower, half.transpose().to_owned());
        for j in 0..inner.ncols() {
            for i in 0..j {
                let mean = 0.5 * (inner[(i, j)] + inner[(j, i)]);
                (inner[(i, j)], inner[(j, i)]) = (mean, mean);
            }
        }
        let (mut values, vectors) = eigen(inner.as_ref())?;
        let count = count.min(values.len());
        values.truncate(count);
        let q = vectors.subcols(0, count);
        let x = solve_upper(lower, q.to_owned());
        // steps in coordinates in which the basis is orthonormal
        let mut steps = Mat::from_fn(gram.nrows(), active.len(), |i, j| {
            let column = active[j];
            if i < old || column >= count { 0.0 } else { x[(i, column)] }
        });
        steps = lower.transpose() * steps;
        for _ in 0..2 {
            if steps.ncols() == 0 {
                break;
            }
            let lengths = squares(steps.as_ref());
            let within = q.transpose() * &steps;
            steps -= q * within;
            let products = steps.transpose() * &steps;
            steps = &steps * orthonormal(products.as_ref(), &lengths)?;
        }
        let energy = steps.transpose() * (&inner * &steps);
        let p = solve_upper(lower, steps);
        Ok(Self { values, x, p, energy })
    }
}
/// Squared lengths of columns.
fn squares(a: MatRef<'_, f64>) -> Vec<f64> {
    (0..a.ncols()).map(|j| (0..a.nrows()).map(|i| a[(i, j)] * a[(i, j)]).sum()).collect()
}
fn solve_lower(lower: MatRef<'_, f64>, mut b: Mat<f64>) -> Mat<f64> {
    lower.solve_lower_triangular_in_place(b.as_mut());
    b
}
/// L⁻ᵀ b.
fn solve_upper(lower: MatRef<'_, f64>, mut b: Mat<f64>) -> Mat<f64> {
    lower.transpose().solve_upper_triangular_in_place(b.as_mut());
    b
}
