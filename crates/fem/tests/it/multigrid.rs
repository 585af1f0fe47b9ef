//! Multigrid: the same solutions, in few iterations whatever the mesh.
use crate::common;
use crate::meshes;
use common::size;
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_fem::{
    Assembler, ConjugateGradients, FemError, Form, Lame, Matrix, Multigrid, MultigridOptions, SolveOptions,
    SolveReport, Space, Storage,
};

/// A matrix with its fixed unknowns and its load.
struct Case<'s, S: Storage> {
    space: &'s Space<'s>,
    matrix: Matrix<S>,
    fixed: Vec<u32>,
    b: Vec<f64>,
}
impl<'s, S: Storage> Case<'s, S> {
    fn new(space: &'s Space<'s>, form: Form, fixed: impl Fn(DVec3) -> u32) -> Self {
        let matrix = Assembler::new(space).expect("a pattern").assemble::<S>(form).expect("a matrix");
        let fixed = space.points().expect("memory").into_iter().map(fixed).collect();
        let size = matrix.size() as usize;
        let integrals = space.integrals().expect("memory").read().expect("memory");
        let force = [0.3, -0.2, -1.0];
        let b = integrals.iter().flat_map(|w| force[3 - size..].iter().map(move |f| f * w)).collect();
        Self { space, matrix, fixed, b }
    }
    fn device(&self) -> &Device {
        self.space.device()
    }
    fn solve(&self, multigrid: bool) -> (SolveReport, Vec<f64>) {
        let fixed = self.device().upload(&self.fixed).expect("memory");
        let b = self.device().upload(&self.b).expect("memory");
        let mut x = self.device().zeros(self.b.len()).expect("memory");
        let mut solver = if multigrid {
            let options = MultigridOptions::default();
            let multigrid = Multigrid::new(&self.matrix, self.space, &fixed, &options).expect("levels");
            assert_eq!(multigrid.nodes()[0], self.space.nodes());
            assert!(multigrid.nodes().windows(2).all(|n| n[1] < n[0]), "{multigrid:?}");
            ConjugateGradients::with_multigrid(&self.matrix, &fixed, multigrid).expect("a solver")
        } else {
            ConjugateGradients::new(&self.matrix, &fixed).expect("a solver")
        };
        let options = SolveOptions { tolerance: 1e-10, ..SolveOptions::default() };
        let report = solver.solve(&b, &mut x, &options).expect("a solution");
        assert!(report.converged, "{report:?}");
        (report, x.read().expect("memory"))
    }
    /// Both preconditioners find the same; with multigrid in at most `most` iterations.
    fn check(&self, most: usize) {
        let ((blocks, expected), (multigrid, found)) = (self.solve(false), self.solve(true));
        let of = format!("{:?}: {} iterations, {}", self.space, multigrid.iterations, blocks.iterations);
        println!("{of}");
        assert!(multigrid.iterations <= most, "{of}");
        let longest = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!((found - expected).abs() < 1e-6 * longest, "{of}, number {i}: {found}, {expected}");
        }
        let size = self.matrix.size() as usize;
        let held = (0..found.len()).filter(|i| self.fixed[i / size] >> (i % size) & 1 == 1);
        assert!(held.map(|i| found[i]).all(|x| x == 0.0), "{of}: what is fixed has moved");
    }
}
fn elastic(poisson: f64) -> Form {
    Form::Elasticity(Lame::of(50.0, poisson))
}
fn left(x: DVec3) -> u32 {
    if x.x < 1e-6 { 7 } else { 0 }
}

suite! {
    fn elasticity_of_all_orders(device) {
        let tets = meshes::jittered([size(8, 4), 6, 6]);
        let mesh = tets.mesh(device);
        for order in 1..=3 {
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            Case::<f64>::new(&space, elastic(0.3), left).check(50);
        }
        let space = meshes::hexes(device, [size(9, 4), 8, 7], true);
        Case::<f64>::new(&space, elastic(0.3), left).check(40);
        Case::<f32>::new(&space, elastic(0.45), left).check(60);
    }
    /// Supports that slide: a plane of symmetry on each of three sides.
    fn unknowns_that_are_fixed_alone(device) {
        let mesh = meshes::jittered([6, 7, 6]).mesh(device);
        let space = Space::tetrahedra(&mesh, 2).expect("a space");
        let sides = |x: DVec3| u32::from(x.x < 1e-6) | u32::from(x.y < 1e-6) << 1 | u32::from(x.z < 1e-6) << 2;
        Case::<f64>::new(&space, elastic(0.3), sides).check(50);
    }
    fn one_unknown_for_each_node(device) {
        let mesh = meshes::jittered([9, 8, 8]).mesh(device);
        for order in 1..=3 {
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            let fixed = |x: DVec3| u32::from(x.x < 1e-6);
            Case::<f64>::new(&space, Form::Laplacian { conductivity: 2.0 }, fixed).check(40);
        }
    }
    /// A beam that is refined in each direction: with blocks alone iterations double.
    fn iterations_do_not_grow(device) {
        let iterations = |n: u32| {
            let mesh = meshes::kuhn([4 * n, n, n]).mesh(device);
            let space = Space::tetrahedra(&mesh, 1).expect("a space");
            let case = Case::<f64>::new(&space, elastic(0.3), left);
            [case.solve(true), case.solve(false)].map(|(report, _)| report.iterations)
        };
        let (coarse, fine) = (iterations(size(5, 3)), iterations(size(10, 6)));
        assert!(fine[0] <= coarse[0] + size(12, 16) as usize, "{coarse:?}, {fine:?}");
        assert!(2 * fine[0] < fine[1], "{coarse:?}, {fine:?}");
    }
    /// Everything within the coarsest level; everything fixed; nodes that belong together only within parts.
    fn small_and_odd_meshes(device) {
        for tets in [meshes::two(), meshes::kuhn([3, 3, 3]), meshes::around(90)] {
            let mesh = tets.mesh(device);
            let space = Space::tetrahedra(&mesh, 1).expect("a space");
            let (report, _) = Case::<f64>::new(&space, elastic(0.3), left).solve(true);
            assert!(report.iterations <= 3, "{}: {report:?}", tets.name);
        }
        let mesh = meshes::kuhn([6, 6, 6]).mesh(device);
        let space = Space::tetrahedra(&mesh, 1).expect("a space");
        let (report, x) = Case::<f64>::new(&space, elastic(0.3), |_| 7).solve(true);
        assert!(report.iterations == 0 && x.iter().all(|x| *x == 0.0));
        // of each node one unknown is free: the six motions of an aggregate depend on each other
        Case::<f64>::new(&space, elastic(0.3), |x| if x.x < 1e-6 { 7 } else { 6 }).check(40);
        // a mass matrix of two levels
        Case::<f64>::new(&space, Form::Mass { density: 3.0 }, |_| 0).check(30);
    }
    fn the_same_bits_every_time(device) {
        let mesh = meshes::jittered([7, 6, 6]).mesh(device);
        let space = Space::tetrahedra(&mesh, 2).expect("a space");
        let case = Case::<f32>::new(&space, elastic(0.3), left);
        let bits = || {
            let (report, x) = case.solve(true);
            (report, x.into_iter().map(f64::to_bits).collect::<Vec<_>>())
        };
        assert_eq!(bits(), bits());
    }
    fn what_does_not_fit(device) {
        let mesh = meshes::kuhn([2, 2, 2]).mesh(device);
        let (first, second) = (Space::tetrahedra(&mesh, 1).expect("a space"), Space::tetrahedra(&mesh, 2).expect("a space"));
        let (one, two) = (Case::<f64>::new(&first, elastic(0.3), left), Case::<f64>::new(&second, elastic(0.3), left));
        let options = MultigridOptions::default();
        let fixed = device.upload(&one.fixed).expect("memory");
        assert!(Multigrid::new(&two.matrix, &first, &fixed, &options).is_err());
        let short = device.upload(&[0_u32; 3]).expect("memory");
        assert!(Multigrid::new(&one.matrix, &first, &short, &options).is_err());
        let levels = Multigrid::new(&one.matrix, &first, &fixed, &options).expect("levels");
        let words = device.upload(&two.fixed).expect("memory");
        assert!(ConjugateGradients::with_multigrid(&two.matrix, &words, levels).is_err());
        // a node of nothing has no block
        let apart = meshes::apart().mesh(device);
        let space = Space::tetrahedra(&apart, 1).expect("a space");
        let case = Case::<f64>::new(&space, elastic(0.3), |_| 0);
        let fixed = device.upload(&case.fixed).expect("memory");
        let small = MultigridOptions { coarsest: 1, ..options };
        let error = Multigrid::new(&case.matrix, &space, &fixed, &small).expect_err("a node of nothing");
        assert!(matches!(error, FemError::NotPositive { node } if node + 1 == space.nodes()), "{error}");
    }
}
