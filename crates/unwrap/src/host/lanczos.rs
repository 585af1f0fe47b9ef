//! The greatest eigenvalue of a Hermitian operator, beside constants.
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};
use glam::DVec2;

/// Vectors of a space before it begins anew with the best of them.
const VECTORS: usize = 30;
/// Spaces at most.
const SPACES: usize = 40;
/// Residual at which the search ends, as a part of the eigenvalue.
const SMALL: f64 = 1e-11;

/// Result of [`greatest`].
pub struct Pairs {
    /// The eigenvector, of length 1 and mean 0.
    pub vector: Vec<DVec2>,
    /// Applications of the operator.
    pub steps: u32,
    /// Whether the residual is small.
    pub converged: bool,
}

/// aᴴ b.
fn product(a: &[DVec2], b: &[DVec2]) -> DVec2 {
    a.iter().zip(b).map(|(a, b)| DVec2::new(a.dot(*b), a.perp_dot(*b))).sum()
}
fn length(a: &[DVec2]) -> f64 {
    a.iter().map(|a| a.length_squared()).sum::<f64>().sqrt()
}
/// Takes the part along another vector of length 1 away.
fn take_away(a: &mut [DVec2], along: &[DVec2]) {
    let by = product(along, a);
    a.iter_mut().zip(along).for_each(|(a, along)| *a -= by.rotate(*along));
}
fn take_mean_away(a: &mut [DVec2]) {
    let mean = a.iter().copied().sum::<DVec2>() / a.len() as f64;
    a.iter_mut().for_each(|a| *a -= mean);
}

/// The eigenvector of the greatest eigenvalue of a Hermitian operator of which constants are an eigenvector
/// that does not count: Lanczos' method, orthogonal to all vectors of the space.
pub fn greatest<E>(
    mut start: Vec<DVec2>,
    apply: impl Fn(&[DVec2]) -> Result<Vec<DVec2>, E>,
) -> Result<Pairs, E> {
    let mut steps = 0;
    let mut spaces = 0;
    loop {
        spaces += 1;
        take_mean_away(&mut start);
        let scale = length(&start);
        start.iter_mut().for_each(|value| *value /= scale);
        let mut basis = vec![start];
        let (mut diagonal, mut beside): (Vec<f64>, Vec<f64>) = (vec![], vec![]);
        loop {
            let last = &basis[basis.len() - 1];
            let mut next = apply(last)?;
            steps += 1;
            take_mean_away(&mut next);
            diagonal.push(product(last, &next).x);
            for _ in 0..2 {
                basis.iter().for_each(|vector| take_away(&mut next, vector));
                take_mean_away(&mut next);
            }
            let left = length(&next);
            let most = diagonal.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            let (value, part) = greatest_of_tridiagonal(&diagonal, &beside);
            let residual = left * part[part.len() - 1].abs();
            let converged = residual <= SMALL * value || left <= 1e-13 * most;
            if converged || basis.len() == VECTORS {
                let mut vector = vec![DVec2::ZERO; next.len()];
                for (of, part) in basis.iter().zip(part) {
                    vector.iter_mut().zip(of).for_each(|(sum, value)| *sum += part * *value);
                }
                if converged || spaces == SPACES {
                    return Ok(Pairs { vector, steps, converged });
                }
                start = vector;
                break;
            }
            next.iter_mut().for_each(|value| *value /= left);
            beside.push(left);
            basis.push(next);
        }
    }
}

/// The greatest eigenvalue of a symmetric tridiagonal matrix with its eigenvector of length 1; NaN for a
/// matrix that is not finite.
fn greatest_of_tridiagonal(diagonal: &[f64], beside: &[f64]) -> (f64, Vec<f64>) {
    let n = diagonal.len();
    let matrix = Mat::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => diagonal[i],
        1 => beside[i.min(j)],
        _ => 0.0,
    });
    match SelfAdjointEigen::new(matrix.as_ref(), Side::Lower) {
        // eigenvalues ascend
        Ok(pairs) => (pairs.S().column_vector()[n - 1], pairs.U().col(n - 1).iter().copied().collect()),
        Err(_) => (f64::NAN, vec![f64::NAN; n]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tridiagonal() {
        // 2 - 2 cos(k π / (n + 1)) are the eigenvalues of the second difference
        for n in 1..20 {
            let (value, vector) = greatest_of_tridiagonal(&vec![2.0; n], &vec![-1.0; n - 1]);
            let expected = 2.0 - 2.0 * (n as f64 * std::f64::consts::PI / (n + 1) as f64).cos();
            assert!((value - expected).abs() < 1e-13, "{n}: {value}");
            for i in 0..n {
                let near = |k: Option<usize>| k.and_then(|k| vector.get(k)).copied().unwrap_or(0.0);
                let product = 2.0 * vector[i] - near(i.checked_sub(1)) - near(Some(i + 1));
                assert!((product - value * vector[i]).abs() < 1e-13, "{n}");
            }
        }
    }
    /// A diagonal operator whose greatest entries are close to each other.
    #[test]
    fn close_eigenvalues() {
        let n = 200;
        let entry = |i: usize| 1.0 / (1.0 + 0.001 * i as f64);
        // constants are taken away: an eigenvector of P D P
        let start = (0..n).map(|i| DVec2::from_angle(i as f64)).collect();
        let apply = |x: &[DVec2]| Ok::<_, ()>((0..n).map(|i| x[i] * entry(i)).collect());
        let found = greatest(start, apply).expect("no errors");
        assert!(found.converged);
        let mut image: Vec<DVec2> = (0..n).map(|i| found.vector[i] * entry(i)).collect();
        take_mean_away(&mut image);
        let value = product(&found.vector, &image).x;
        let off = (0..n).map(|i| (image[i] - value * found.vector[i]).length_squared()).sum::<f64>().sqrt();
        assert!(off < 1e-9, "{off}");
        // between the two greatest entries, by Cauchy's interlacing
        assert!(value <= entry(0) && value >= entry(1), "{value}");
    }
}
