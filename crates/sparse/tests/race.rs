//! Races in shared memory: none. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::take_report;
use ribbonmesh_sparse::{
    CgOptions, ConjugateGradients, Csr, DenseBlock, Layout, Schedule, SparseMatrix, Variant, Vector,
    VectorLayout,
};

/// A matrix with short rows, empty ones and a long one; positive definite, since its diagonal outweighs the
/// rest.
fn matrix(n: u32) -> Csr<f64> {
    let mut triplets: Vec<_> = (0..n).map(|i| (i, i, 2.0 * f64::from(n))).collect();
    for i in 1..n {
        triplets.extend([(0, i, 1.0), (i, 0, 1.0)]);
        if i % 3 == 0 {
            triplets.extend([(i, i - 1, 1.0), (i - 1, i, 1.0)]);
        }
    }
    Csr::from_triplets(n as usize, n as usize, &triplets).expect("a matrix")
}

#[test]
fn no_race() {
    take_report();
    let device = Device::cpu();
    let matrix = matrix(5000);
    let balanced = Variant { layout: Layout::CSR, schedule: Schedule::Balanced };
    let dynamic = Variant { layout: Layout::CSR, schedule: Schedule::Dynamic { threads: 64, blocks: 2 } };
    for variant in [balanced, dynamic] {
        let on_device = SparseMatrix::with_variant(&device, &matrix, variant).expect("a matrix");
        let mut solver = ConjugateGradients::new(&on_device, CgOptions::default()).expect("a solver");
        let ones = vec![1.0; 5000];
        let b = Vector::upload(&device, &ones, VectorLayout::Aos).expect("memory");
        let mut x = on_device.domain().expect("memory");
        let report = solver.solve(&b, &mut x).expect("a solve");
        assert!(report.true_residual < 1e-5, "{report:?}");
        on_device.adjoint().expect("memory");
    }
    let blocks = matrix.map(|x| DenseBlock([[x as f32; 3]; 3]));
    let on_device = SparseMatrix::with_variant(&device, &blocks, balanced).expect("a matrix");
    let (x, mut y) = (on_device.domain().expect("memory"), on_device.range().expect("memory"));
    on_device.multiply(&x, &mut y).expect("a product");
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
}
