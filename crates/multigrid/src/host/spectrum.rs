//! The greatest eigenvalue of a matrix.
use super::blocks::Blocks;
use super::error::Result;
use crate::device::lanczos::{ApplyMatrix, LanczosArguments, NextVector};
use crate::device::rows::ROWS;
use ribbonmesh::Buffer;
use ribbonmesh::device::GROUPED_ARRIVALS;

/// Steps of Lanczos' method.
const STEPS: usize = 12;
/// Vectors shorter than this belong to nothing but rounding.
const SHORT: f64 = 1e-10;

/// An estimate of the greatest eigenvalue of D⁻¹ A, from below: that of the tridiagonal matrix of Lanczos'
/// method, in the scalar product of D. `inverse` has the inverted blocks of D. Two launches for each step;
/// waits once.
pub fn greatest_eigenvalue(a: &Blocks<f64>, inverse: &Buffer<f32>) -> Result<f64> {
    let (device, nodes, size) = (a.device(), a.pattern.rows() as u32, a.height);
    let numbers = nodes * size;
    let vector = || device.zeros::<f64>(numbers as usize);
    let (mut u, mut before, mut v, mut w) = (vector()?, vector()?, vector()?, vector()?);
    let mut state = device.zeros::<f64>(2 * STEPS)?;
    let mut partials = device.zeros_on_all_cards::<f64>(numbers.div_ceil(ROWS) as usize)?;
    let mut arrived = device.zeros_on_all_cards::<u32>(GROUPED_ARRIVALS)?;
    for step in 0..STEPS as u32 {
        let with = LanczosArguments {
            nodes,
            size,
            step,
            state: state.view_mut(),
            partials: partials.view_mut(),
            arrived: arrived.view_mut(),
        };
        let next = NextVector {
            with,
            inverse: inverse.view(),
            w: w.view(),
            u: u.view_mut(),
            before: before.view_mut(),
            v: v.view_mut(),
        };
        device.launch(nodes.div_ceil(ROWS), next)?;
        let with = LanczosArguments {
            nodes,
            size,
            step,
            state: state.view_mut(),
            partials: partials.view_mut(),
            arrived: arrived.view_mut(),
        };
        let (rows, values) = (a.pattern.view(), a.values.view());
        device.launch(
            numbers.div_ceil(ROWS),
            ApplyMatrix { with, rows, values, v: v.view(), w: w.view_mut() },
        )?;
    }
    let state = state.read()?;
    let steps = state.chunks_exact(2).take_while(|step| step[0] > SHORT).count();
    let diagonal: Vec<f64> = state[..2 * steps].iter().skip(1).step_by(2).copied().collect();
    let beside: Vec<f64> = state[..2 * steps].iter().step_by(2).skip(1).copied().collect();
    Ok(greatest_of_tridiagonal(&diagonal, &beside).filter(|x| *x > 0.0 && x.is_finite()).unwrap_or(1.0))
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
    use super::*;
    use ribbonmesh::Device;

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
        let (device, n) = (Device::cpu(), 500);
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for i in 0..n {
            for j in i.max(1) - 1..(i + 2).min(n) {
                columns.push(j);
                values.push(if i == j { 4.0 } else { -2.0 });
            }
            starts.push(columns.len() as u32);
        }
        let upload = |x: &[u32]| device.upload(x).expect("memory");
        let values = device.upload(&values).expect("memory");
        let a = Blocks::new(n as usize, [1, 1], upload(&starts), upload(&columns), values).expect("a matrix");
        let inverse = device.upload(&vec![0.25_f32; n as usize]).expect("memory");
        let found = greatest_eigenvalue(&a, &inverse).expect("a number");
        assert!(found > 1.9 && found < 2.0, "{found}");
    }
}
