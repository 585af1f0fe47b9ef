//! Conjugate gradients over every layout.
use crate::expanded::{Expanded, bits, elements, random_matrix};
use ribbonmesh::Device;
use ribbonmesh_sparse::{
    CgOptions, CgOutcome, Complex, ConjugateGradients, Csr, DenseBlock, Entry, Inner, Layout, Outer,
    Preconditioner, Quaternion, Schedule, SliceParts, SliceValues, SparseError, SparseMatrix, Variant,
    Vector, VectorLayout,
};
use ribbonmesh_suite::{Random, suite};

/// `A* A` and an identity that outweighs it: equal to its adjoint, and positive definite.
fn definite<E: Expanded>(
    random: &mut Random,
    n: u32,
    one: impl Fn(f64) -> E,
    product: impl Fn(E, E) -> E,
) -> Csr<E> {
    let a = random_matrix::<E>(random, [n / 2, n], 3);
    let mut triplets: Vec<_> = (0..n).map(|i| (i, i, one(1.0 + f64::from(i % 7)))).collect();
    for row in (0..a.rows()).filter(|&row| a.row(row).0.len() < 5) {
        let (columns, values) = a.row(row);
        for (&i, &x) in columns.iter().zip(values) {
            for (&j, &y) in columns.iter().zip(values) {
                triplets.push((i, j, product(x.adjoint(), y)));
            }
        }
    }
    Csr::from_triplets(n as usize, n as usize, &triplets).expect("a matrix")
}
fn solves<E: Expanded>(device: &Device, one: impl Fn(f64) -> E, times: impl Fn(E, E) -> E, tolerance: f64) {
    let mut random = Random(21);
    let n = 230;
    let matrix = definite(&mut random, n, one, times);
    let exact = elements::<E>(&mut random, n as usize);
    let b = matrix.multiply(&exact).expect("lengths");
    let mut variants: Vec<_> = Layout::all().map(|layout| Variant { layout, ..Variant::CSR }).collect();
    variants.push(Variant { schedule: Schedule::Balanced, ..Variant::CSR });
    let grouped = Layout { outer: Outer::Sliced(32), inner: Inner::Grouped, vector: VectorLayout::Aos };
    variants.push(Variant { layout: grouped, schedule: Schedule::Dynamic { threads: 64, blocks: 2 } });
    for variant in variants {
        let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
        for preconditioner in [Preconditioner::None, Preconditioner::Jacobi] {
            let what = format!("{}, {variant}, {preconditioner:?}", std::any::type_name::<E>());
            let options = CgOptions { tolerance, preconditioner, look: 5, ..CgOptions::default() };
            let mut solver = ConjugateGradients::new(&on_device, options).expect("a solver");
            let b = Vector::upload(device, &b, variant.layout.vector).expect("memory");
            let mut first = None;
            // from nothing, twice with the same bits; and from elsewhere
            for start in 0..3 {
                let mut x = on_device.domain().expect("memory");
                if start == 2 {
                    let other = elements::<E>(&mut random, n as usize);
                    x = Vector::upload(device, &other, variant.layout.vector).expect("memory");
                }
                let report = solver.solve(&b, &mut x).expect("a solve");
                assert_eq!(report.outcome, CgOutcome::Converged, "{what}: {report:?}");
                assert!(report.iterations > 2 && report.residual <= tolerance, "{what}: {report:?}");
                assert!(report.true_residual < 10.0 * tolerance, "{what}: {report:?}");
                let found = x.download().expect("memory");
                for (found, exact) in found.iter().zip(&exact) {
                    for (found, exact) in E::numbers(*found).into_iter().zip(E::numbers(*exact)) {
                        assert!((found - exact).abs() < 100.0 * tolerance, "{what}: {found}, not {exact}");
                    }
                }
                if start < 2 {
                    let first = first.get_or_insert_with(|| (report, found.clone()));
                    assert_eq!((report, bits(&found)), (first.0, bits(&first.1)), "{what}");
                }
            }
        }
    }
}
fn laplacian(n: u32) -> Csr<f64> {
    let mut triplets = vec![];
    for i in 0..n {
        triplets.push((i, i, 2.0));
        if i > 0 {
            triplets.extend([(i, i - 1, -1.0), (i - 1, i, -1.0)]);
        }
    }
    Csr::from_triplets(n as usize, n as usize, &triplets).expect("a matrix")
}

/// The Laplacian of a grid of triangles with a little mass.
fn surface(n: u32) -> Csr<f64> {
    let mut triplets = vec![];
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        triplets.push((i * n + j, i * n + j, 1e-3));
        for (k, l) in [(i + 1, j), (i, j + 1), (i + 1, j + 1)] {
            if k < n && l < n {
                let (a, b) = (i * n + j, k * n + l);
                triplets.extend([(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)]);
            }
        }
    }
    Csr::from_triplets((n * n) as usize, (n * n) as usize, &triplets).expect("a matrix")
}

suite! {
    fn numbers(device) {
        solves::<f32>(device, |x| x as f32, |a, b| a * b, 1e-5);
        solves::<f64>(device, |x| x, |a, b| a * b, 1e-11);
    }
    fn complex_numbers(device) {
        solves::<Complex<f64>>(device, |x| Complex::new(x, 0.0), |a, b| a.times(b), 1e-11);
        solves::<Quaternion<f32>>(device, |x| Quaternion::new(x as f32, 0.0, 0.0, 0.0), |a, b| a.times(b), 1e-5);
    }
    fn blocks(device) {
        let one = |x: f64| DenseBlock([[x, 0.1, 0.0], [0.1, 2.0 * x, 0.2], [0.0, 0.2, 3.0]]);
        let times = |a: DenseBlock<f64, 3>, b: DenseBlock<f64, 3>| {
            DenseBlock(std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a.0[i][k] * b.0[k][j]).sum())))
        };
        solves(device, one, times, 1e-11);
    }
    /// A solve that does not converge reports it, and a right-hand side of 0 has the solution 0.
    fn outcomes(device) {
        let matrix = SparseMatrix::new(device, &laplacian(400)).expect("a matrix");
        let layout = matrix.variant().layout.vector;
        let ones = Vector::upload(device, &[1.0; 400], layout).expect("memory");
        let options = CgOptions { iterations: 10, ..CgOptions::default() };
        let mut solver = ConjugateGradients::new(&matrix, options).expect("a solver");
        let mut x = matrix.domain().expect("memory");
        let report = solver.solve(&ones, &mut x).expect("a solve");
        assert_eq!((report.outcome, report.iterations), (CgOutcome::Iterations, 10));
        let mut solver = ConjugateGradients::new(&matrix, CgOptions::default()).expect("a solver");
        let report = solver.solve(&ones, &mut x).expect("a solve");
        assert_eq!(report.outcome, CgOutcome::Converged);
        // a start that is right
        let mut again = x.try_clone().expect("memory");
        let report = solver.solve(&ones, &mut again).expect("a solve");
        assert_eq!((report.outcome, report.iterations), (CgOutcome::Converged, 0));
        let zero = matrix.range().expect("memory");
        let report = solver.solve(&zero, &mut x).expect("a solve");
        assert_eq!((report.outcome, report.iterations, report.residual), (CgOutcome::Converged, 0, 0.0));
        assert_eq!(x.download().expect("memory"), [0.0; 400]);
        let not_finite = Vector::upload(device, &[f64::NAN; 400], layout).expect("memory");
        let report = solver.solve(&not_finite, &mut x).expect("a solve");
        assert_eq!(report.outcome, CgOutcome::Breakdown);
        // not definite
        let wrong = SparseMatrix::new(device, &laplacian(400).map(|x| -x)).expect("a matrix");
        let options = CgOptions { preconditioner: Preconditioner::None, ..CgOptions::default() };
        let mut solver = ConjugateGradients::new(&wrong, options).expect("a solver");
        let report = solver.solve(&ones, &mut wrong.domain().expect("memory")).expect("a solve");
        assert_eq!(report.outcome, CgOutcome::Breakdown);
    }
    /// Multigrid: the same solutions, in few iterations, from every layout.
    fn multigrid(device) {
        let n = 120;
        let matrix = surface(n);
        let exact: Vec<f64> = (0..n * n).map(|i| f64::from(i * 7919 % 1000) / 500.0 - 1.0).collect();
        let b = matrix.multiply(&exact).expect("lengths");
        let mut most = 0;
        for layout in Layout::all().filter(|layout| layout.vector == VectorLayout::Aos) {
            let variant = Variant { layout, ..Variant::CSR };
            let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
            let options = CgOptions { tolerance: 1e-9, preconditioner: Preconditioner::Multigrid, ..CgOptions::default() };
            let mut solver = ConjugateGradients::new(&on_device, options).expect("a solver");
            let levels = solver.hierarchy().expect("levels").levels.len();
            assert!(levels >= 3, "{variant}: {levels}");
            let b = Vector::upload(device, &b, layout.vector).expect("memory");
            let mut first: Option<Vec<f64>> = None;
            for _ in 0..2 {
                let mut x = on_device.domain().expect("memory");
                let report = solver.solve(&b, &mut x).expect("a solve");
                assert_eq!(report.outcome, CgOutcome::Converged, "{variant}: {report:?}");
                assert!(report.iterations < 30 && report.true_residual < 1e-8, "{variant}: {report:?}");
                most = most.max(report.iterations);
                let found = x.download().expect("memory");
                let wrong = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(wrong < 1e-5, "{variant}: {wrong}");
                assert!(first.is_none_or(|first| bits(&first) == bits(&found)), "{variant}: other bits");
                first = Some(found);
            }
        }
        let jacobi = SparseMatrix::new(device, &matrix).expect("a matrix");
        let options = CgOptions { tolerance: 1e-9, ..CgOptions::default() };
        let layout = jacobi.variant().layout.vector;
        let mut solver = ConjugateGradients::new(&jacobi, options).expect("a solver");
        assert!(solver.hierarchy().is_none());
        let b = Vector::upload(device, &b, layout).expect("memory");
        let slow = solver.solve(&b, &mut jacobi.domain().expect("memory")).expect("a solve").iterations;
        assert!(slow > 5 * most, "{slow} iterations with Jacobi, {most} with multigrid");
        let single = SparseMatrix::new(device, &matrix.map(|x| x as f32)).expect("a matrix");
        let options = CgOptions { tolerance: 1e-5, preconditioner: Preconditioner::Multigrid, ..CgOptions::default() };
        let mut solver = ConjugateGradients::new(&single, options).expect("a solver");
        let b: Vec<f32> = (0..n * n).map(|i| (i % 13) as f32 - 6.0).collect();
        let b = Vector::upload(device, &b, single.variant().layout.vector).expect("memory");
        let report = solver.solve(&b, &mut single.domain().expect("memory")).expect("a solve");
        assert!(report.outcome == CgOutcome::Converged && report.iterations < 20, "{report:?}");
    }
    fn multigrid_refuses_what_it_cannot_do(device) {
        let options = CgOptions { preconditioner: Preconditioner::Multigrid, ..CgOptions::default() };
        let complex = surface(5).map(|x| Complex::new(x, 0.0));
        let complex = SparseMatrix::new(device, &complex).expect("a matrix");
        assert!(matches!(ConjugateGradients::new(&complex, options), Err(SparseError::NotReal { .. })));
        let negative = SparseMatrix::new(device, &surface(5).map(|x| -x)).expect("a matrix");
        assert!(matches!(ConjugateGradients::new(&negative, options), Err(SparseError::Diagonal { row: 0 })));
        let mut strange = options;
        strange.multigrid.sweeps = 0;
        let matrix = SparseMatrix::new(device, &surface(5)).expect("a matrix");
        assert!(matches!(ConjugateGradients::new(&matrix, strange), Err(SparseError::Option { option: "sweeps", .. })));
    }
    /// Products of two matrices, and a diagonal that is stored by itself.
    fn products_of_matrices(device) {
        let matrix = surface(11);
        let on_device = SparseMatrix::new(device, &matrix).expect("a matrix");
        let square = on_device.product_with(&on_device).expect("a product").download().expect("memory");
        let x: Vec<f64> = (0..121).map(|i| f64::from(i % 7) - 3.0).collect();
        let twice = matrix.multiply(&matrix.multiply(&x).expect("lengths")).expect("lengths");
        for (found, exact) in square.multiply(&x).expect("lengths").iter().zip(&twice) {
            assert!((found - exact).abs() < 1e-9, "{found}, {exact}");
        }
        let numbers = |values: &[f64]| SliceValues::Aos(device.upload(values).expect("memory"));
        let indices = |values: &[u32]| device.upload(values).expect("memory");
        // [[4, 1], [1, 5]] in a slice of two rows
        let parts = SliceParts {
            columns: 2,
            slice: 2,
            offsets: indices(&[0, 2]),
            lengths: indices(&[1, 1]),
            indices: indices(&[1, 0]),
            values: numbers(&[1.0, 1.0]),
            diagonal: Some(numbers(&[4.0, 5.0])),
        };
        let apart = SparseMatrix::from_slices(parts, VectorLayout::Aos, Schedule::Rows { threads: 64 }).expect("a matrix");
        let (starts, columns, values) = apart.to_rows().expect("rows").download().expect("memory");
        assert_eq!((starts, columns, values), (vec![0, 2, 4], vec![0, 1, 0, 1], vec![4.0, 1.0, 1.0, 5.0]));
    }
    fn wrong_systems_are_refused(device) {
        let matrix = SparseMatrix::new(device, &laplacian(5)).expect("a matrix");
        for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let options = CgOptions { tolerance, ..CgOptions::default() };
            assert!(matches!(ConjugateGradients::new(&matrix, options), Err(SparseError::Option { option: "tolerance", .. })));
        }
        let options = CgOptions { look: 0, ..CgOptions::default() };
        assert!(matches!(ConjugateGradients::new(&matrix, options), Err(SparseError::Option { option: "look", .. })));
        let wide = Csr::from_triplets(2, 3, &[(0, 0, 1.0), (1, 1, 1.0)]).expect("a matrix");
        let wide = SparseMatrix::new(device, &wide).expect("a matrix");
        assert!(matches!(ConjugateGradients::new(&wide, CgOptions::default()), Err(SparseError::Length { .. })));
        let singular = Csr::from_triplets(2, 2, &[(0, 0, 1.0), (1, 1, 0.0)]).expect("a matrix");
        let singular = SparseMatrix::new(device, &singular).expect("a matrix");
        assert!(matches!(ConjugateGradients::new(&singular, CgOptions::default()), Err(SparseError::Diagonal { row: 1 })));
        let mut solver = ConjugateGradients::new(&matrix, CgOptions::default()).expect("a solver");
        let short = Vector::zeros(device, 4, VectorLayout::Aos).expect("memory");
        let mut x = matrix.domain().expect("memory");
        assert!(matches!(solver.solve(&short, &mut x), Err(SparseError::Length { expected: 5, found: 4, .. })));
    }
    fn systems_without_rows(device) {
        let matrix = SparseMatrix::new(device, &laplacian(0)).expect("a matrix");
        let mut solver = ConjugateGradients::new(&matrix, CgOptions::default()).expect("a solver");
        let (b, mut x) = (matrix.range().expect("memory"), matrix.domain().expect("memory"));
        assert_eq!(solver.solve(&b, &mut x).expect("a solve").outcome, CgOutcome::Converged);
    }
}
