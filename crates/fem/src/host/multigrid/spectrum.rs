//! The greatest eigenvalue of a matrix.
use super::blocks::Blocks;
use rayon::prelude::*;

/// Steps of Lanczos' method.
const LANCZOS: usize = 15;

/// An estimate of the greatest eigenvalue of D⁻¹ A, from below: that of the tridiagonal matrix of Lanczos'
/// method, in the scalar product of D. `inverse` has the inverted blocks of D.
pub fn greatest_eigenvalue(a: &Blocks, inverse: &[f64]) -> f64 {
    let n = a.height();
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 23) - 1.0
    };
    // u = D v, of this step and of the one before
    let mut u: Vec<f64> = (0..n * a.rows()).map(|_| random()).collect();
    let mut before = vec![0.0; u.len()];
    let (mut diagonal, mut beside) = (vec![], vec![]);
    let mut beta = 0.0;
    for _ in 0..LANCZOS {
        let mut v = times_blocks(inverse, &u, n);
        let length = dot(&u, &v).sqrt();
        if length.is_nan() || length <= 1e-12 {
            break;
        }
        if !diagonal.is_empty() {
            beside.push(length);
            beta = length;
        }
        let by = 1.0 / length;
        v.par_iter_mut().zip(u.par_iter_mut()).for_each(|(v, u)| (*v, *u) = (*v * by, *u * by));
        let w = a.apply(&v);
        let alpha = dot(&w, &v);
        diagonal.push(alpha);
        before.par_iter_mut().zip(&u).zip(&w).for_each(|((b, u), w)| *b = w - alpha * u - beta * *b);
        std::mem::swap(&mut u, &mut before);
    }
    greatest_of_tridiagonal(&diagonal, &beside).unwrap_or(1.0)
}
/// Blocks of a diagonal by a vector.
fn times_blocks(blocks: &[f64], u: &[f64], n: usize) -> Vec<f64> {
    let mut v = vec![0.0; u.len()];
    v.par_chunks_exact_mut(n).zip(u.par_chunks_exact(n)).zip(blocks.par_chunks_exact(n * n)).for_each(
        |((v, u), own)| {
            for (v, own) in v.iter_mut().zip(own.chunks_exact(n)) {
                *v = own.iter().zip(u).map(|(a, u)| a * u).sum();
            }
        },
    );
    v
}
/// The scalar product, in an order that does not depend on threads.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let part = |(a, b): (&[f64], &[f64])| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    a.par_chunks(8192).zip(b.par_chunks(8192)).map(part).collect::<Vec<f64>>().iter().sum()
}

/// The greatest eigenvalue of a symmetric tridiagonal matrix, by bisection with Sturm's sequence; `None` for
/// an empty one.
fn greatest_of_tridiagonal(diagonal: &[f64], beside: &[f64]) -> Option<f64> {
    let at = |i: usize| beside.get(i).copied().unwrap_or(0.0);
    let reach = |i: usize| diagonal[i] + at(i).abs() + if i > 0 { at(i - 1).abs() } else { 0.0 };
    let mut high = (0..diagonal.len()).map(reach).reduce(f64::max)?;
    let mut low = diagonal.iter().copied().reduce(f64::max)?;
    // whether all eigenvalues are below x: all pivots of T - x are negative
    let above_all = |x: f64| {
        let mut pivot = -1.0_f64;
        (0..diagonal.len()).all(|i| {
            let part = if i > 0 { at(i - 1) * at(i - 1) / pivot } else { 0.0 };
            pivot = diagonal[i] - x - part;
            pivot < 0.0
        })
    };
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if above_all(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Rows;
    use super::*;

    #[test]
    fn eigenvalues_of_a_chain() {
        // 2 on the diagonal, -1 beside it: 2 - 2 cos(k π / (n + 1))
        let n = 9;
        let found = greatest_of_tridiagonal(&vec![2.0; n], &vec![-1.0; n - 1]).expect("not empty");
        let exact = 2.0 - 2.0 * (std::f64::consts::PI * n as f64 / (n as f64 + 1.0)).cos();
        assert!((found - exact).abs() < 1e-12, "{found}, {exact}");
        assert_eq!(greatest_of_tridiagonal(&[], &[]), None);
        assert!((greatest_of_tridiagonal(&[3.0], &[]).expect("not empty") - 3.0).abs() < 1e-12);
    }

    #[test]
    fn greatest_eigenvalue_of_a_matrix() {
        // a chain of 500 nodes: after scaling by the diagonal, almost 2
        let n = 500;
        let row = |(): &mut (), i: usize, made: &mut Rows| {
            let i = i as u32;
            for j in [i.checked_sub(1), Some(i), (i + 1 < n).then_some(i + 1)].into_iter().flatten() {
                made.indices.push(j);
                made.values.push(if i == j { 4.0 } else { -2.0 });
            }
        };
        let a = Blocks::build([1, 1], n as usize, n as usize, || (), row);
        let inverse = a.inverted_diagonal(&vec![0; n as usize], false).expect("positive");
        let found = greatest_eigenvalue(&a, &inverse);
        assert!(found > 1.95 && found < 2.0, "{found}");
    }
}
