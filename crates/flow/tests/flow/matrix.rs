//! The matrices of levels.
use crate::support::{all, beyond, face, index, of_faces, options};
use ribbonmesh_flow::{Flow, Side};
use ribbonmesh_suite::{Random, suite};
use std::cell::RefCell;

/// Lower coefficients along each axis, and diagonals.
type Matrix = ([u32; 3], [Vec<f32>; 4]);

/// Half of the matrix that a level has in the space of values that are constant in each cell of the next one.
fn half_of_galerkin((n, fine): &Matrix) -> Matrix {
    let coarse = n.map(|n| n.div_ceil(2));
    let count = coarse.iter().product::<u32>() as usize;
    let mut sums = [0; 4].map(|_| vec![0.0_f64; count]);
    for at in all(*n) {
        let (cell, to) = (index(*n, at), index(coarse, at.map(|i| i / 2)));
        sums[3][to] += f64::from(fine[3][cell]);
        for a in (0..3).filter(|a| at[*a] > 0) {
            let mut below = at;
            below[a] -= 1;
            let (other, k) = (index(coarse, below.map(|i| i / 2)), f64::from(fine[a][cell]));
            // of the rows of both cells
            if other == to { sums[3][to] -= 2.0 * k } else { sums[a][to] += k }
        }
    }
    (coarse, sums.map(|of| of.into_iter().map(|sum| (0.5 * sum) as f32).collect()))
}
fn bits((n, arrays): Matrix) -> ([u32; 3], [Vec<u32>; 4]) {
    (n, arrays.map(|of| of.into_iter().map(f32::to_bits).collect()))
}

suite! {
    fn coarse_matrices_are_half_of_galerkins(device) {
        let flows = [[Side::Outflow, Side::Wall], [Side::Inflow, Side::Outflow], [Side::Wall, Side::Wall]];
        for n in [[24, 20, 12], [60, 44, 1], [23, 17, 5], [700, 2, 1]] {
            let numbers = RefCell::new(Random(7));
            let open = of_faces(n, |_, _| numbers.borrow_mut().below(65) as f32 / 64.0);
            let flow = Flow::with_fractions(device, &options(n, flows), &open).expect("a flow");
            let system = flow.system();
            assert!(system.levels() > 1);
            let mut fine = system.matrix_of(0).expect("memory");
            for at in all(n) {
                let cell = index(n, at);
                let mut diagonal = 0.0;
                for d in 0..3 {
                    let [below, above] = [at, beyond(at, d)].map(|at| open[face(n, d, at)]);
                    let flows = flows[d].map(|side| side == Side::Outflow);
                    if at[d] > 0 {
                        assert_eq!(fine.1[d][cell], below);
                    }
                    diagonal += if at[d] > 0 || flows[0] { below } else { 0.0 };
                    diagonal += if at[d] + 1 < n[d] || flows[1] { above } else { 0.0 };
                }
                assert_eq!(fine.1[3][cell], diagonal);
            }
            for level in 1..system.levels() {
                let coarse = system.matrix_of(level).expect("memory");
                assert!(bits(coarse.clone()) == bits(half_of_galerkin(&fine)), "{n:?}, level {level}");
                fine = coarse;
            }
        }
    }
    fn coarse_coefficients_are_means_of_fractions(device) {
        // in three dimensions those of cells twice as large have twice the factor; in two the same
        for (n, factor) in [([16, 12, 8], 2.0), ([40, 36, 1], 1.0)] {
            let numbers = RefCell::new(Random(3));
            let open = of_faces(n, |_, _| numbers.borrow_mut().below(65) as f32 / 64.0);
            let walls = options(n, [[Side::Wall; 2]; 3]);
            let flow = Flow::with_fractions(device, &walls, &open).expect("a flow");
            let (coarse, matrix) = flow.system().matrix_of(1).expect("memory");
            for at in all(coarse) {
                for d in (0..3).filter(|d| at[*d] > 0) {
                    let first = [0, 1, 2].map(|a| if coarse[a] == n[a] { at[a] } else { 2 * at[a] });
                    let size = [0, 1, 2].map(|a| if a == d || coarse[a] == n[a] { 1 } else { 2 });
                    let of = |by: [u32; 3]| open[face(n, d, [0, 1, 2].map(|a| first[a] + by[a]))];
                    let mean = all(size).map(of).sum::<f32>() / size.iter().product::<u32>() as f32;
                    assert_eq!(matrix[d][index(coarse, at)], factor * mean);
                }
            }
        }
    }
}
