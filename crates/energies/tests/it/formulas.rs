//! Gradients beside formulas by hand.
use crate::samples::{apart, flat_rest, inverse2, lengths, simplices, solid_rest};
use glam::{DMat3, DVec3};
use ribbonmesh::device::BufferView;
use ribbonmesh_energies::{Elements, NeoHookeanArguments, SpringsArguments, SymmetricDirichletArguments};
use ribbonmesh_suite::suite;

const COUNT: usize = 40;

fn near(found: &[f64], expected: &[f64]) {
    let size = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-12 * size, "{found:?}, {expected:?}");
    }
}

suite! {
    fn springs(device) {
        let (edges, x) = (apart::<2>(COUNT), simplices(2, COUNT, 0.3, 15));
        let rest = lengths(&simplices(2, COUNT, 0.2, 16), &edges);
        let of = device.upload(&rest).expect("memory");
        let elements = Elements::new(device, 2 * COUNT, &edges).expect("elements");
        let energy = SpringsArguments { stiffness: 3.0, rest: of.view() };
        let found = elements.derivatives(energy, &device.upload(&x).expect("memory"), false).expect("derivatives");
        for e in 0..COUNT {
            let edge = DVec3::from_slice(&x[6 * e + 3..]) - DVec3::from_slice(&x[6 * e..]);
            let (l, strain) = (edge.length(), edge.length() / rest[e] - 1.0);
            near(&[found.values[e]], &[1.5 * strain * strain * rest[e]]);
            near(&found.gradients[e], &(3.0 * strain * edge / l).to_array());
            // k / L along the spring, k strain / l across
            let d = edge / l;
            let along = |i: usize, j: usize| d[i] * d[j];
            let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
            let entry = |i, j| 3.0 / rest[e] * along(i, j) + 3.0 * strain / l * (unit(i, j) - along(i, j));
            near(&found.hessians[e], &[entry(0, 0), entry(1, 0), entry(1, 1), entry(2, 0), entry(2, 1), entry(2, 2)]);
        }
    }
    fn symmetric_dirichlet(device) {
        let (faces, x) = (apart::<3>(COUNT), simplices(3, COUNT, 0.2, 17));
        let rest = flat_rest(&simplices(3, COUNT, 0.2, 18), &faces);
        let of = device.upload(&rest).expect("memory");
        let elements = Elements::new(device, 3 * COUNT, &faces).expect("elements");
        let energy = SymmetricDirichletArguments { rest: of.view() };
        let found = elements.derivatives(energy, &device.upload(&x).expect("memory"), false).expect("derivatives");
        for e in 0..COUNT {
            let at = |v: usize, c: usize| x[9 * e + 3 * v + c] - x[9 * e + c];
            let [a, b, c, d, area]: [f64; 5] = rest[5 * e..5 * e + 5].try_into().expect("five");
            let times = |u: f64, v: f64| [u * a + v * c, u * b + v * d];
            let [p, q] = [times(at(1, 0), at(2, 0)), times(at(1, 1), at(2, 1))];
            let j = [p[0], p[1], q[0], q[1]];
            let ([i, k, l, m], determinant) = inverse2(j);
            let square = |j: [f64; 4]| j.iter().map(|x| x * x).sum::<f64>();
            near(&[found.values[e]], &[area * (square(j) + square([i, k, l, m]))]);
            // by J: 2 J (1 + 1 / det²) - 2 |J|² / det² J⁻ᵀ; by edges: times the transposed rest
            let (by, less) = (2.0 * (1.0 + determinant.powi(-2)), 2.0 * square(j) * determinant.powi(-2));
            let g = [by * j[0] - less * i, by * j[1] - less * l, by * j[2] - less * k, by * j[3] - less * m];
            let edge = |row: usize, first: f64, second: f64| area * (g[2 * row] * first + g[2 * row + 1] * second);
            near(&found.gradients[e], &[edge(0, a, b), edge(1, a, b), edge(0, c, d), edge(1, c, d)]);
        }
    }
    fn neo_hookean(device) {
        let (cells, x) = (apart::<4>(COUNT), simplices(4, COUNT, 0.15, 19));
        let rest = solid_rest(&simplices(4, COUNT, 0.15, 20), &cells);
        let of = device.upload(&rest).expect("memory");
        let elements = Elements::new(device, 4 * COUNT, &cells).expect("elements");
        let (mu, lambda) = (1.3, 2.1);
        let energy = NeoHookeanArguments { mu, lambda, materials: BufferView::empty(), rest: of.view() };
        let found = elements.derivatives(energy, &device.upload(&x).expect("memory"), false).expect("derivatives");
        for e in 0..COUNT {
            let at = |v: usize| DVec3::from_slice(&x[12 * e + 3 * v..]) - DVec3::from_slice(&x[12 * e..]);
            let inverse = DMat3::from_cols_slice(&rest[10 * e..10 * e + 9]).transpose();
            let (volume, f) = (rest[10 * e + 9], DMat3::from_cols(at(1), at(2), at(3)) * inverse);
            let (log, turned) = (f.determinant().ln(), f.inverse().transpose());
            let length = f.to_cols_array().iter().map(|x| x * x).sum::<f64>();
            let energy = 0.5 * mu * (length - 3.0) - mu * log + 0.5 * lambda * log * log;
            near(&[found.values[e]], &[volume * energy]);
            let stress = (mu * (f - turned) + lambda * log * turned) * inverse.transpose() * volume;
            near(&found.gradients[e], &stress.to_cols_array());
        }
    }
}
