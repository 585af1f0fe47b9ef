//! Solutions: the patch test, reactions, precisions.
use crate::common;
use crate::meshes::{self, on_cube};
use ribbonmesh::glam::{DMat3, DVec3};
use ribbonmesh_fem::{Assembler, ConjugateGradients, Form, Lame, SolveOptions, Space, Storage};

/// An affine displacement on the boundary gives the same inside.
fn patch<S: Storage>(space: &Space<'_>, name: &str, within: f64) {
    let device = space.device();
    let a = DMat3::from_cols(
        DVec3::new(0.1, 0.02, -0.03),
        DVec3::new(0.0, -0.05, 0.04),
        DVec3::new(0.01, 0.0, 0.2),
    );
    let points = space.points().expect("memory");
    let exact: Vec<f64> = points.iter().flat_map(|x| (a * *x).to_array()).collect();
    let outside: Vec<bool> = points.iter().map(|x| on_cube(x.as_vec3())).collect();
    let fixed: Vec<u32> = outside.iter().map(|o| if *o { 7 } else { 0 }).collect();
    assert!(outside.contains(&false), "{name}: nothing is free");
    let start: Vec<f64> =
        exact.iter().enumerate().map(|(i, u)| if outside[i / 3] { *u } else { 0.0 }).collect();
    let form = Form::Elasticity(Lame::of(2.0, 0.3));
    let matrix = Assembler::new(space).expect("a pattern").assemble::<S>(form).expect("a matrix");
    let (fixed, mut x) = (device.upload(&fixed).expect("memory"), device.upload(&start).expect("memory"));
    let b = device.zeros(start.len()).expect("memory");
    let options = SolveOptions { tolerance: 1e-12, ..SolveOptions::default() };
    let report = ConjugateGradients::new(&matrix, &fixed)
        .expect("a solver")
        .solve(&b, &mut x, &options)
        .expect("a solution");
    assert!(report.converged, "{name}: {report:?}");
    for (found, expected) in x.read().expect("memory").iter().zip(&exact) {
        assert!((found - expected).abs() < within, "{name}: {found} instead of {expected}");
    }
}

suite! {
    fn patch_test(device) {
        for tets in [meshes::kuhn([3, 3, 3]), meshes::jittered([3, 4, 3])] {
            let mesh = tets.mesh(device);
            for order in 1..=3 {
                let space = Space::tetrahedra(&mesh, order).expect("a space");
                patch::<f64>(&space, tets.name, 1e-8);
                patch::<f32>(&space, tets.name, 1e-6);
            }
        }
        let space = meshes::hexes(device, [3, 4, 3], true);
        patch::<f64>(&space, "hexahedra", 1e-8);
        patch::<f32>(&space, "hexahedra", 1e-6);
    }
    /// Reactions balance the load: their forces, and their moments.
    fn reactions_balance_loads(device) {
        let tets = meshes::jittered([4, 3, 3]);
        let mesh = tets.mesh(device);
        for order in 1..=3 {
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            let points = space.points().expect("memory");
            let fixed: Vec<u32> = points.iter().map(|x| if x.x < 1e-6 { 7 } else { 0 }).collect();
            let force = DVec3::new(0.5, 0.0, -2.0);
            let integrals = space.integrals().expect("memory").read().expect("memory");
            let b: Vec<f64> = integrals.iter().flat_map(|v| (force * *v).to_array()).collect();
            let matrix = Assembler::new(&space).expect("a pattern").assemble::<f64>(Form::Elasticity(Lame::of(1e3, 0.2))).expect("a matrix");
            let words = device.upload(&fixed).expect("memory");
            let (b, mut x) = (device.upload(&b).expect("memory"), device.zeros(3 * space.nodes()).expect("memory"));
            let mut solver = ConjugateGradients::new(&matrix, &words).expect("a solver");
            let options = SolveOptions { tolerance: 1e-11, ..SolveOptions::default() };
            let report = solver.solve(&b, &mut x, &options).expect("a solution");
            assert!(report.converged && report.iterations > 3 && report.residual <= 1e-11);
            let reactions = solver.reactions(&b, &x).expect("memory");
            let (mut sum, mut moment) = (DVec3::ZERO, DVec3::ZERO);
            for (i, r) in reactions.chunks_exact(3).enumerate() {
                let r = DVec3::from_slice(r);
                assert!(fixed[i] == 7 || r.length() < 1e-9, "a force at a free node");
                (sum, moment) = (sum + r, moment + points[i].cross(r));
            }
            assert!((sum + force).length() < 1e-6, "order {order}: {sum}");
            assert!((moment + DVec3::splat(0.5).cross(force)).length() < 1e-5, "order {order}: {moment}");
            // twice the energy is the work of the load
            let mut y = device.zeros(3 * space.nodes()).expect("memory");
            matrix.multiply(&x, &mut y).expect("a product");
            let (energy, work) = (solver.dot(&x, &y).expect("a sum"), solver.dot(&x, &b).expect("a sum"));
            assert!(energy > 0.0 && (energy - work).abs() < 1e-9 * energy);
        }
    }
    /// A solution has the same bits every time, and the limit of iterations is reported.
    fn same_bits_and_limits(device) {
        let mesh = meshes::jittered([5, 4, 4]).mesh(device);
        let space = Space::tetrahedra(&mesh, 1).expect("a space");
        let fixed: Vec<u32> = space.points().expect("memory").iter().map(|x| if x.x < 1e-6 { 7 } else { 0 }).collect();
        let fixed = device.upload(&fixed).expect("memory");
        let matrix = Assembler::new(&space).expect("a pattern").assemble::<f32>(Form::Elasticity(Lame::of(1.0, 0.3))).expect("a matrix");
        let b = device.upload(&vec![1e-3; 3 * space.nodes()]).expect("memory");
        let solve = |most| {
            let mut x = device.zeros(3 * space.nodes()).expect("memory");
            let options = SolveOptions { max_iterations: most, ..SolveOptions::default() };
            let report = ConjugateGradients::new(&matrix, &fixed).expect("a solver").solve(&b, &mut x, &options).expect("a solution");
            (report, x.read().expect("memory").into_iter().map(f64::to_bits).collect::<Vec<_>>())
        };
        let first = solve(20_000);
        assert!(first.0.converged);
        assert_eq!(first, solve(20_000));
        let (short, _) = solve(3);
        assert!(!short.converged && short.iterations == 3 && short.residual > 1e-8);
    }
}
