//! Errors of wrong input.
use crate::common;
use ribbonmesh::{Device, Error};
use ribbonmesh_sparse::{
    Csr, DenseBlock, Inner, Layout, Outer, Schedule, SliceParts, SliceValues, SparseError, SparseMatrix,
    Variant, Vector, VectorLayout,
};

#[test]
fn triplets_outside_are_named() {
    let error = Csr::from_triplets(3, 4, &[(0, 0, 1.0_f32), (2, 4, 1.0), (3, 0, 1.0)]).expect_err("outside");
    assert_eq!(
        error.to_string(),
        "entry 1 is in row 2, column 4, outside of a matrix of 3 rows and 4 columns"
    );
    let error = Csr::from_triplets(3, 4, &[(3, 0, 1.0_f32)]).expect_err("outside");
    assert!(matches!(error, SparseError::Outside { entry: 0, row: 3, column: 0, .. }));
    let error = Csr::<f32>::from_triplets(1 << 32, 4, &[]).expect_err("too many rows");
    assert!(matches!(error, SparseError::TooMany { count: 4_294_967_296, .. }), "{error}");
}
#[test]
fn wrong_parts_are_named() {
    let wrong = |starts: &[u32], columns: &[u32]| {
        let values = vec![1.0_f64; columns.len()];
        Csr::from_parts(3, starts.to_vec(), columns.to_vec(), values).expect_err("wrong")
    };
    assert!(matches!(wrong(&[], &[]), SparseError::Offsets { row: 0, entries: 0 }));
    assert!(matches!(wrong(&[1, 1], &[0]), SparseError::Offsets { row: 0, .. }));
    assert!(matches!(wrong(&[0, 2, 1], &[0, 1]), SparseError::Offsets { row: 2, .. }));
    assert!(matches!(wrong(&[0, 1], &[0, 1]), SparseError::Offsets { row: 1, entries: 2 }));
    assert!(matches!(wrong(&[0, 1, 3], &[0, 2, 2]), SparseError::Columns { row: 1, .. }));
    assert!(matches!(wrong(&[0, 1, 3], &[0, 2, 1]), SparseError::Columns { row: 1, .. }));
    assert!(matches!(wrong(&[0, 1, 2], &[0, 3]), SparseError::Columns { row: 1, columns: 3 }));
    let error = Csr::from_parts(3, vec![0, 1], vec![0], vec![1.0_f32; 2]).expect_err("wrong");
    assert!(matches!(error, SparseError::Length { expected: 1, found: 2, .. }));
    let error = Csr::from_parts(1, vec![0, 1], vec![0], vec![1.0_f32]).expect("right").multiply(&[]);
    assert!(matches!(error, Err(SparseError::Length { expected: 1, found: 0, .. })));
}

fn bins(
    device: &Device,
    offsets: &[u32],
    lengths: &[u32],
    indices: &[u32],
) -> ribbonmesh_sparse::Result<SparseMatrix<f32>> {
    let parts = SliceParts {
        columns: 40,
        slice: 32,
        offsets: device.upload(offsets)?,
        lengths: device.upload(lengths)?,
        indices: device.upload(indices)?,
        values: SliceValues::Aos(device.upload(&vec![1.0; indices.len()])?),
        diagonal: None,
    };
    SparseMatrix::from_slices(parts, VectorLayout::Aos, Schedule::Rows { threads: 32 })
}

suite! {
    fn wrong_buffers_are_named(device) {
        let wrong = |starts: &[u32], columns: &[u32], values: usize| {
            let values = vec![1.0_f32; values];
            let (s, c, v) = (device.upload(starts), device.upload(columns), device.upload(&values));
            SparseMatrix::from_buffers(3, s.expect("memory"), c.expect("memory"), v.expect("memory"), Schedule::Balanced)
                .expect_err("wrong")
        };
        assert!(matches!(wrong(&[], &[], 0), SparseError::Offsets { .. }));
        assert!(matches!(wrong(&[1], &[], 0), SparseError::Offsets { .. }));
        assert!(matches!(wrong(&[1, 2], &[0, 0], 2), SparseError::Offsets { row: 0, .. }));
        assert!(matches!(wrong(&[0, 2, 1, 3], &[0, 0, 0], 3), SparseError::Offsets { row: 1, .. }));
        assert!(matches!(wrong(&[0, 9, 3], &[0, 0, 0], 3), SparseError::Offsets { row: 0, .. }));
        assert!(matches!(wrong(&[0, 1], &[0, 0], 2), SparseError::Offsets { row: 1, entries: 2 }));
        assert!(matches!(wrong(&[0, 1, 2, 3], &[0, 3, 4], 3), SparseError::Columns { row: 1, columns: 3 }));
        assert!(matches!(wrong(&[0, 1], &[0], 2), SparseError::Length { expected: 1, found: 2, .. }));
    }
    fn wrong_slices_are_named(device) {
        let indices = [7; 96];
        assert!(bins(device, &[0, 64, 96], &[2; 40], &indices).is_err());
        let mut lengths = [1; 40];
        assert_eq!(bins(device, &[0, 64, 96], &lengths, &indices).expect("right").len(), 40);
        lengths[35] = 2;
        assert!(matches!(bins(device, &[0, 64, 96], &lengths, &indices), Err(SparseError::Slice { row: 35 })));
        lengths[35] = 1;
        assert!(matches!(bins(device, &[0, 60, 96], &lengths, &indices), Err(SparseError::Slice { row: 0 })));
        assert!(matches!(bins(device, &[0, 128, 96], &lengths, &indices), Err(SparseError::Slice { row: 0 })));
        assert!(matches!(bins(device, &[0, 64, 32], &lengths, &indices), Err(SparseError::Slice { row: 32 })));
        assert!(matches!(bins(device, &[32, 64, 96], &lengths, &indices), Err(SparseError::Slice { row: 0 })));
        assert!(matches!(bins(device, &[0, 96], &lengths, &indices), Err(SparseError::Length { expected: 3, found: 2, .. })));
        let mut indices = indices;
        // the second slot of row 4 is padding
        indices[32 + 4] = 40;
        bins(device, &[0, 64, 96], &lengths, &indices).expect("padding may hold anything");
        indices[4] = 40;
        assert!(matches!(bins(device, &[0, 64, 96], &lengths, &indices), Err(SparseError::Columns { row: 4, columns: 40 })));
        assert!(matches!(bins(device, &[0, 64, 96], &[1; 40], &indices[..95]), Err(SparseError::Slice { row: 32 })));
    }
    fn wrong_variants_are_refused(device) {
        let matrix = Csr::from_triplets(3, 3, &[(0, 0, 1.0_f32)]).expect("a matrix");
        let rows = Schedule::Rows { threads: 64 };
        let of = |outer, inner, vector, schedule| Variant { layout: Layout { outer, inner, vector }, schedule };
        for variant in [
            of(Outer::Sliced(3), Inner::Aos, VectorLayout::Aos, rows),
            of(Outer::Sliced(0), Inner::Aos, VectorLayout::Aos, rows),
            of(Outer::Sliced(1), Inner::Aos, VectorLayout::Aos, rows),
            of(Outer::Sliced(2048), Inner::Aos, VectorLayout::Aos, rows),
            of(Outer::Csr, Inner::Soa, VectorLayout::Aos, Schedule::Balanced),
            of(Outer::Ell, Inner::Aos, VectorLayout::Aos, Schedule::Balanced),
            of(Outer::Csr, Inner::Aos, VectorLayout::Soa, Schedule::Balanced),
            of(Outer::Csr, Inner::Aos, VectorLayout::Aos, Schedule::Rows { threads: 0 }),
            of(Outer::Csr, Inner::Aos, VectorLayout::Aos, Schedule::Rows { threads: 1056 }),
            of(Outer::Csr, Inner::Aos, VectorLayout::Aos, Schedule::Dynamic { threads: 64, blocks: 0 }),
            of(Outer::Csr, Inner::Aos, VectorLayout::Aos, Schedule::Static { threads: 33, blocks: 1 }),
        ] {
            let error = SparseMatrix::with_variant(device, &matrix, variant).expect_err("wrong");
            assert!(matches!(error, SparseError::Variant { .. }), "{variant}: {error}");
        }
        let other = of(Outer::Ell, Inner::Aos, VectorLayout::Aos, rows);
        let ell = SparseMatrix::with_variant(device, &matrix, other).expect("a matrix");
        assert!(matches!(ell.adjoint(), Err(SparseError::Variant { .. })));
    }
    /// A row of all columns of a wide matrix: ELL would have as many places in each row.
    fn padding_beyond_memory_is_refused(device) {
        let n = 100_000_u32;
        let mut triplets: Vec<_> = (0..n).map(|column| (0, column, 1.0_f32)).collect();
        triplets.push((n - 1, 0, 1.0));
        let matrix = Csr::from_triplets(n as usize, n as usize, &triplets).expect("a matrix");
        let ell = Variant { layout: Layout { outer: Outer::Ell, ..Layout::CSR }, ..Variant::CSR };
        let error = SparseMatrix::with_variant(device, &matrix, ell).expect_err("too much padding");
        assert!(matches!(error, SparseError::TooMany { count: 10_000_000_000, .. }), "{error}");
    }
    fn wrong_vectors_are_refused(device) {
        let matrix = Csr::from_triplets(3, 5, &[(0, 0, DenseBlock([[1.0_f32; 3]; 3]))]).expect("a matrix");
        let on_device = SparseMatrix::with_variant(device, &matrix, Variant::CSR).expect("a matrix");
        let (x, mut y) = (on_device.domain().expect("memory"), on_device.range().expect("memory"));
        on_device.multiply(&x, &mut y).expect("right");
        let short = Vector::zeros(device, 4, VectorLayout::Aos).expect("memory");
        assert!(matches!(on_device.multiply(&short, &mut y), Err(SparseError::Length { expected: 5, found: 4, .. })));
        let mut long = Vector::zeros(device, 4, VectorLayout::Aos).expect("memory");
        assert!(matches!(on_device.multiply(&x, &mut long), Err(SparseError::Length { expected: 3, found: 4, .. })));
        let soa = Vector::zeros(device, 5, VectorLayout::Soa).expect("memory");
        assert!(matches!(on_device.multiply(&soa, &mut y), Err(SparseError::Variant { .. })));
        let other = Device::cpu();
        let elsewhere = Vector::zeros(&other, 5, VectorLayout::Aos).expect("memory");
        assert!(matches!(on_device.multiply(&elsewhere, &mut y), Err(SparseError::Device(Error::OtherDevice { .. }))));
        assert!(matches!(on_device.multiply_many(&x, &mut y, 0), Err(SparseError::Option { .. })));
        assert!(matches!(on_device.multiply_many(&x, &mut y, 2), Err(SparseError::Length { .. })));
        assert!(matches!(y.dot(&long), Err(SparseError::Length { .. })));
        assert!(matches!(y.axpby(1.0, &long, 1.0), Err(SparseError::Length { .. })));
    }
}
