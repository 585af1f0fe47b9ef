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

/// Factors that make columns orthogonal to the columns before them, which are orthonormal, and orthonormal:
/// first the factors of those before. `products` are those of all columns with the last ones.
pub fn without(products: MatRef<'_, f64>) -> Result<Mat<f64>> {
    let old = products.nrows() - products.ncols();
    let (within, own) = products.split_at_row(old);
    let lengths: Vec<f64> = (0..own.ncols()).map(|j| own[(j, j)]).collect();
    let left = own - within.transpose() * within;
    let factors = orthonormal(left.as_ref(), &lengths)?;
    let back = within * &factors;
    Ok(Mat::from_fn(products.nrows(), factors.ncols(), |i, j| {
        if i < old { -back[(i, j)] } else { factors[(i - old, j)] }
    }))
}
/// The greatest difference of the products of all columns with the last ones from those of orthonormal
/// columns.
pub fn slant(products: MatRef<'_, f64>) -> f64 {
    let (old, mut most) = (products.nrows() - products.ncols(), 0.0_f64);
    for j in 0..products.ncols() {
        for i in 0..products.nrows() {
            let unit = f64::from(u8::from(i == old + j));
            most = most.max((products[(i, j)] - unit).abs());
        }
    }
    most
}
/// The step of Rayleigh and Ritz in the space of columns that are nearly orthonormal, and nearly orthogonal
/// to eigenvectors before them: all eigenvalues, ascending, and the factors of the eigenvectors and of the
/// columns. `products` are those of all with the columns, `energy` those of the columns by the matrix, and
/// `before` the known eigenvalues.
pub fn ritz(products: MatRef<'_, f64>, mut energy: Mat<f64>, before: &[f64]) -> Result<(Vec<f64>, Mat<f64>)> {
    let factors = without(products)?;
    // that of the columns without their parts along eigenvectors
    let within = products.subrows(0, before.len());
    let weighted = Mat::from_fn(within.nrows(), within.ncols(), |i, j| before[i] * within[(i, j)]);
    energy -= within.transpose() * weighted;
    let own = factors.subrows(before.len(), factors.nrows() - before.len());
    let mut inner = own.transpose() * (energy * own);
    symmetrize(&mut inner);
    let (values, vectors) = eigen(inner.as_ref())?;
    Ok((values, factors * vectors))
}
/// The step of a window: eigenvalues; the factors of its approximations Y, last steps P and directions W that
/// give the next approximations; and the parts of them that are of P and W, the next steps.
pub struct Step {
    pub values: Vec<f64>,
    pub x: Mat<f64>,
    pub p: Mat<f64>,
}
impl Step {
    /// `products` are those of Y, P and W, side by side, with P and W, `energy` those by the matrix. Y is
    /// orthonormal, its products by the matrix are `values` on a diagonal.
    pub fn new(values: &[f64], products: MatRef<'_, f64>, energy: MatRef<'_, f64>) -> Result<Self> {
        let (count, all) = (values.len(), products.nrows());
        let factors = without(products)?;
        let (old, new) = factors.split_at_row(count);
        // the energy of the directions that are orthonormal, and theirs with Y
        let image = energy * new;
        let (image_old, image_new) = image.split_at_row(count);
        let mixed = Mat::from_fn(count, factors.ncols(), |i, j| image_old[(i, j)] + values[i] * old[(i, j)]);
        let mut own = new.transpose() * image_new + old.transpose() * &mixed;
        own += new.transpose() * (energy.subrows(0, count).transpose() * old);
        let n = count + factors.ncols();
        let mut inner = Mat::from_fn(n, n, |i, j| match (i < count, j < count) {
            (true, true) => {
                if i == j {
                    values[i]
                } else {
                    0.0
                }
            }
            (true, false) => mixed[(i, j - count)],
            (false, true) => mixed[(j, i - count)],
            (false, false) => own[(i - count, j - count)],
        });
        symmetrize(&mut inner);
        let (mut values, vectors) = eigen(inner.as_ref())?;
        values.truncate(count);
        let (of_y, of_new) = vectors.subcols(0, count).split_at_row(count);
        let mut x = &factors * of_new;
        let p = x.subrows(count, all - count).to_owned();
        for j in 0..count {
            (0..count).for_each(|i| x[(i, j)] += of_y[(i, j)]);
        }
        Ok(Self { values, x, p })
    }
}
/// Means of numbers on both sides of the diagonal.
fn symmetrize(a: &mut Mat<f64>) {
    for j in 0..a.ncols() {
        for i in 0..j {
            let mean = 0.5 * (a[(i, j)] + a[(j, i)]);
            (a[(i, j)], a[(j, i)]) = (mean, mean);
        }
    }
}
/// L⁻ᵀ b.
fn solve_upper(lower: MatRef<'_, f64>, mut b: Mat<f64>) -> Mat<f64> {
    lower.transpose().solve_upper_triangular_in_place(b.as_mut());
    b
}

#[cfg(test)]
mod tests {
    use super::{Step, ritz};
    use faer::{Mat, MatRef};

    const ROWS: usize = 40;

    /// Numbers that look random.
    fn columns(count: usize, first: usize) -> Mat<f64> {
        let number = |i: usize| ((i * 7919 + 104_729) % 10_007) as f64 / 10_007.0 - 0.5;
        Mat::from_fn(ROWS, count, |i, j| number((i + 3) * (j + 7 * first + 1)))
    }
    fn beside(parts: &[MatRef<'_, f64>]) -> Mat<f64> {
        let mut all = Mat::zeros(ROWS, parts.iter().map(|part| part.ncols()).sum());
        let mut first = 0;
        for part in parts {
            all.subcols_mut(first, part.ncols()).copy_from(part);
            first += part.ncols();
        }
        all
    }
    /// Products by a diagonal matrix.
    fn image(of: &Mat<f64>) -> Mat<f64> {
        Mat::from_fn(of.nrows(), of.ncols(), |i, j| (1.0 + i as f64) * of[(i, j)])
    }
    /// The lowest eigenpairs in the space of columns.
    fn best(of: &Mat<f64>) -> (Vec<f64>, Mat<f64>) {
        let found = ritz((of.transpose() * of).as_ref(), of.transpose() * image(of), &[]);
        let (values, factors) = found.expect("finite numbers");
        (values, of * factors)
    }
    fn near(a: &Mat<f64>, b: &Mat<f64>) {
        assert_eq!(a.shape(), b.shape());
        assert!((a - b).norm_max() < 1e-9, "{}", (a - b).norm_max());
    }

    /// Approximations are orthonormal, their products by the matrix are on a diagonal; also beside an
    /// eigenvector that is known.
    #[test]
    fn approximations() {
        let (values, x) = best(&columns(7, 1));
        near(&(x.transpose() * &x), &Mat::identity(7, 7));
        near(&(x.transpose() * image(&x)), &Mat::from_fn(7, 7, |i, j| if i == j { values[i] } else { 0.0 }));
        let known = Mat::from_fn(ROWS, 1, |i, _| f64::from(u8::from(i == 0)));
        let own = columns(7, 2);
        let all = beside(&[known.as_ref(), own.as_ref()]);
        let found = ritz((all.transpose() * &own).as_ref(), own.transpose() * image(&own), &[1.0]);
        let (values, factors) = found.expect("finite numbers");
        let x = all * factors;
        near(&(x.transpose() * &x), &Mat::identity(7, 7));
        near(&(x.transpose() * image(&x)), &Mat::from_fn(7, 7, |i, j| if i == j { values[i] } else { 0.0 }));
        assert!((0..7).all(|j| x[(0, j)].abs() < 1e-12));
    }
    /// The step of a window has the lowest eigenvalues of its space, with directions that depend on each
    /// other, and with zeros.
    #[test]
    fn steps() {
        let (values, y) = best(&columns(4, 1));
        for (p, mut w) in [(columns(4, 2), columns(4, 3)), (columns(0, 2), columns(4, 4))] {
            for dependent in [false, true] {
                if dependent {
                    (0..ROWS).for_each(|i| (w[(i, 1)], w[(i, 2)]) = (0.0, 2.0 * w[(i, 0)] + y[(i, 1)]));
                }
                let directions = beside(&[p.as_ref(), w.as_ref()]);
                let all = beside(&[y.as_ref(), directions.as_ref()]);
                let (gram, energy) = (all.transpose() * &directions, all.transpose() * image(&directions));
                let step = Step::new(&values, gram.as_ref(), energy.as_ref()).expect("finite numbers");
                let (expected, _) = best(&all);
                for (value, expected) in step.values.iter().zip(&expected) {
                    assert!((value - expected).abs() < 1e-9, "{value}, not {expected}");
                }
                let x = &all * &step.x;
                near(&(x.transpose() * &x), &Mat::identity(4, 4));
                near(&(&directions * &step.p), &(&x - &y * step.x.subrows(0, 4)));
            }
        }
    }
}
