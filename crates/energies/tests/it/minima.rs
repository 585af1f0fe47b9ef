//! Minima that are known, and how fast they are found.
use crate::samples::{cubes, flat_rest, solid_rest, unit};
use glam::DMat3;
use ribbonmesh::Device;
use ribbonmesh::device::BufferView;
use ribbonmesh_energies::{
    Elements, Ended, Metric, NeoHookeanArguments, NewtonOptions, Objective, Potential, QuasiNewtonOptions,
    SpringsArguments, SymmetricDirichletArguments, newton, quasi_newton,
};
use ribbonmesh_suite::{Random, suite};

/// A grid of n × n vertices in the plane, with triangles.
fn grid(n: usize) -> (Vec<f64>, Vec<[u32; 3]>) {
    let x = (0..n * n).flat_map(|v| [(v % n) as f64, (v / n) as f64, 0.0]).collect();
    let mut faces = vec![];
    for j in 0..n as u32 - 1 {
        for i in 0..n as u32 - 1 {
            let v = j * n as u32 + i;
            faces.push([v, v + 1, v + n as u32 + 1]);
            faces.push([v, v + n as u32 + 1, v + n as u32]);
        }
    }
    (x, faces)
}
/// Whether the last gradients fall quadratically, down to rounding.
fn falls_quadratically(gradients: &[f64]) -> bool {
    let scale = gradients[0];
    let relative: Vec<f64> = gradients.iter().map(|g| g / scale).collect();
    // a step from below 1e-2 to above rounding
    relative
        .windows(2)
        .filter(|pair| pair[0] < 1e-2 && pair[0] > 1e-7 && pair[1] > 1e-13)
        .all(|pair| pair[1] < 100.0 * pair[0].powf(1.7))
}
fn springs(device: &Device, solve: impl Fn(&mut Potential<'_, SpringsArguments<'_, f64>>)) {
    let elements = Elements::new(device, 3, &[[0, 1], [1, 2]]).expect("elements");
    let rest = device.upload(&[1.0, 1.0]).expect("memory");
    let springs = SpringsArguments { stiffness: 10.0, rest: rest.view() };
    let loads = device.upload(&[0.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0]).expect("memory");
    let potential = Potential::new(&elements, springs).expect("a potential");
    solve(&mut potential.with_loads(&loads).expect("loads"));
}

suite! {
    fn a_weight_between_two_springs(device) {
        springs(device, |potential| {
            let fixed = device.upload(&[7, 0, 7]).expect("memory");
            let begin = [0.0, 0.0, 0.0, 0.8, 0.4, 0.1, 2.0, 0.0, 0.0];
            let mut x = device.upload(&begin).expect("memory");
            let options = NewtonOptions { tolerance: 1e-12, ..NewtonOptions::default() };
            let report = newton(potential, &fixed, &mut x, &options).expect("a minimum");
            assert!(report.converged, "{report:?}");
            let found = x.read().expect("memory");
            // 2 k (l - 1) y / l = 2 with l² = 1 + y²
            let [px, y, z] = [found[3], found[4], found[5]];
            let l = (1.0 + y * y).sqrt();
            assert!((px - 1.0).abs() < 1e-9 && z.abs() < 1e-6 && y < 0.0, "{found:?}");
            assert!((2.0 * 10.0 * (l - 1.0) * -y / l - 2.0).abs() < 1e-8, "{found:?}");
            assert!(falls_quadratically(&report.gradients), "{:?}", report.gradients);
        });
    }
    fn symmetric_dirichlet_returns_to_rest(device) {
        let (x, faces) = grid(9);
        let elements = Elements::new(device, 81, &faces).expect("elements");
        let rest = device.upload(&flat_rest(&x, &faces)).expect("memory");
        let energy = SymmetricDirichletArguments { rest: rest.view() };
        let mut random = Random(4);
        // one vertex is held, and another on a line, so that nothing is free
        let mut fixed = vec![0; 81];
        (fixed[0], fixed[8]) = (7, 2);
        let begin: Vec<f64> = (0..243)
            .map(|i| x[i] + if fixed[i / 3] == 0 && i % 3 < 2 { 0.3 * unit(&mut random) } else { 0.0 })
            .collect();
        let fixed = device.upload(&fixed).expect("memory");
        let mut found = vec![];
        for _ in 0..2 {
            let mut potential = Potential::new(&elements, energy).expect("a potential");
            let mut at = device.upload(&begin).expect("memory");
            potential.check(&at).expect("a map without turned triangles");
            let report = newton(&mut potential, &fixed, &mut at, &NewtonOptions::default()).expect("a minimum");
            println!("{} iterations, {} linear", report.iterations, report.linear_iterations);
            assert!(report.converged && report.iterations < 25, "{report:?}");
            assert!((report.energy() - 4.0 * 64.0).abs() < 1e-9, "{report:?}");
            assert!(report.energies.windows(2).all(|pair| pair[1] <= pair[0]), "{report:?}");
            assert!(falls_quadratically(&report.gradients), "{:?}", report.gradients);
            let at = at.read().expect("memory");
            at.iter().zip(&x).for_each(|(a, b)| assert!((a - b).abs() < 1e-6, "{a}, {b}"));
            found.push(at.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        }
        assert_eq!(found[0], found[1], "the same bits every run");
    }
    fn the_longest_step_ends_where_a_triangle_is_flat(device) {
        let elements = Elements::new(device, 3, &[[0, 1, 2]]).expect("elements");
        let rest = device.upload(&[1.0, 0.0, 0.0, 1.0, 0.5]).expect("memory");
        let mut potential =
            Potential::new(&elements, SymmetricDirichletArguments { rest: rest.view() }).expect("a potential");
        let x = device.upload(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]).expect("memory");
        for (height, step) in [(-4.0, 0.25), (-1.0, 1.0), (-0.5, f64::INFINITY), (2.0, f64::INFINITY)] {
            let d = device.upload(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, height, 0.0]).expect("memory");
            let found = potential.longest_step(&x, &d).expect("a step");
            assert!(found == step || (found - step).abs() < 1e-12 && found <= step, "{found}, {step}");
        }
    }
    fn a_stretched_body_is_stretched_evenly(device) {
        // all of the boundary is moved by one matrix: so is the inside
        let n = 5;
        let (x, cells) = cubes(n);
        let elements = Elements::new(device, n * n * n, &cells).expect("elements");
        let rest = device.upload(&solid_rest(&x, &cells)).expect("memory");
        let energy = NeoHookeanArguments { mu: 1.0, lambda: 3.0, materials: BufferView::empty(), rest: rest.view() };
        let by = DMat3::from_cols_array(&[1.4, 0.2, 0.0, -0.3, 0.9, 0.1, 0.0, 0.2, 1.1]);
        let inside = |v: usize| (0..3).all(|k| (1..n - 1).contains(&(v / n.pow(k) % n)));
        let goal: Vec<f64> = x.chunks(3).flat_map(|p| (by * glam::DVec3::from_slice(p)).to_array()).collect();
        let mut random = Random(6);
        let begin: Vec<f64> =
            goal.iter().enumerate().map(|(i, x)| if inside(i / 3) { x + 0.12 * unit(&mut random) } else { *x }).collect();
        let fixed: Vec<u32> = (0..n * n * n).map(|v| if inside(v) { 0 } else { 7 }).collect();
        let fixed = device.upload(&fixed).expect("memory");
        let near = |x: &[f64]| x.iter().zip(&goal).all(|(a, b)| (a - b).abs() < 1e-5);
        let mut potential = Potential::new(&elements, energy).expect("a potential");
        let mut at = device.upload(&begin).expect("memory");
        potential.check(&at).expect("no cell is turned");
        let report = newton(&mut potential, &fixed, &mut at, &NewtonOptions::default()).expect("a minimum");
        assert!(report.converged && report.iterations < 15, "{report:?}");
        assert!(falls_quadratically(&report.gradients), "{:?}", report.gradients);
        assert!(near(&at.read().expect("memory")));
        // and by gradients alone
        let mut at = device.upload(&begin).expect("memory");
        let options = QuasiNewtonOptions::default();
        let report = quasi_newton(&mut potential, Metric::Unit, &fixed, &mut at, &options).expect("a minimum");
        assert!(report.ended == Ended::Converged, "{report:?}");
        assert!(near(&at.read().expect("memory")));
    }
}
