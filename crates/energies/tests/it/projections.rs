//! Projections of Hessians beside what makes a projection: it is in the cone, and what is left is across.
use crate::samples::{apart, packed, simplices, solid_rest, unit};
use ribbonmesh::device::BufferView;
use ribbonmesh_energies::{Elements, NeoHookeanArguments};
use ribbonmesh_suite::{Random, suite};

const COUNT: usize = 60;

/// v · A v for a packed matrix.
fn quadratic(a: &[f64], v: &[f64]) -> f64 {
    let n = v.len();
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| v[i] * v[j] * a[packed(i, j)]).sum()
}
/// The trace of a product of packed matrices.
fn inner(a: &[f64], b: &[f64], n: usize) -> f64 {
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| a[packed(i, j)] * b[packed(i, j)]).sum()
}

suite! {
    fn the_nearest_matrix_without_negative_eigenvalues(device) {
        // squeezed to a half: indefinite
        let (cells, mut x) = (apart::<4>(COUNT), simplices(4, COUNT, 0.15, 31));
        x.iter_mut().skip(2).step_by(3).for_each(|z| *z *= 0.4);
        let rest = device.upload(&solid_rest(&simplices(4, COUNT, 0.1, 32), &cells)).expect("memory");
        let elements = Elements::new(device, 4 * COUNT, &cells).expect("elements");
        let energy = NeoHookeanArguments { mu: 1.0, lambda: 5.0, materials: BufferView::empty(), rest: rest.view() };
        let x = device.upload(&x).expect("memory");
        let [exact, projected] =
            [false, true].map(|project| elements.derivatives(energy, &x, project).expect("derivatives").hessians);
        let (mut random, mut changed) = (Random(3), 0);
        for (exact, projected) in exact.iter().zip(&projected) {
            let size = exact.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let less: Vec<f64> = projected.iter().zip(exact).map(|(a, b)| a - b).collect();
            changed += usize::from(less.iter().any(|x| x.abs() > 1e-9 * size));
            for _ in 0..50 {
                let v: Vec<f64> = (0..9).map(|_| unit(&mut random)).collect();
                assert!(quadratic(projected, &v) > -1e-11 * size);
                assert!(quadratic(&less, &v) > -1e-11 * size);
            }
            assert!(inner(&less, projected, 9).abs() < 1e-11 * size * size);
        }
        assert!(changed > COUNT / 4, "{changed} of {COUNT} were indefinite");
    }
}
