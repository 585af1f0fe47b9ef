//! Matrices on the host and from memory of a device, their adjoints and diagonals.
use crate::expanded::{Expanded, assert_near, bits, elements, product, random_matrix};
use ribbonmesh::Device;
use ribbonmesh_sparse::{
    Complex, Csr, DenseBlock, DualQuaternion, Entry, Inner, Layout, Outer, Quaternion, Schedule, SliceParts,
    SliceValues, SparseError, SparseMatrix, Variant, Vector, VectorLayout,
};
use ribbonmesh_suite::{Random, suite};

#[test]
fn duplicates_are_summed_in_their_order() {
    // (1 + 2⁻²⁴) + 2⁻²⁴ is 1 in single precision, 1 + (2⁻²⁴ + 2⁻²⁴) is not
    let tiny = 2.0_f32.powi(-24);
    let one_first = [(1, 2, 1.0), (0, 0, 5.0), (1, 2, tiny), (1, 2, tiny), (1, 0, 3.0)];
    let matrix = Csr::from_triplets(3, 3, &one_first).expect("a matrix");
    assert_eq!(matrix.starts(), [0, 1, 3, 3]);
    assert_eq!(matrix.row(1), (&[0, 2][..], &[3.0, 1.0][..]));
    let one_last = [(1, 2, tiny), (1, 2, tiny), (1, 2, 1.0)];
    let matrix = Csr::from_triplets(3, 3, &one_last).expect("a matrix");
    assert_eq!(matrix.get(1, 2), 1.0 + 2.0 * tiny);
    assert_eq!((matrix.get(0, 1), matrix.rows(), matrix.columns(), matrix.len()), (0.0, 3, 3, 1));
}
/// Few entries in many rows are sorted in another way, with the same result.
#[test]
fn few_entries_in_many_rows() {
    let triplets = [(999_999, 3, 1.0), (5, 700_000, 2.0), (5, 2, 3.0), (999_999, 3, 4.0), (5, 700_000, 5.0)];
    let matrix = Csr::from_triplets(1_000_000, 1_000_000, &triplets).expect("a matrix");
    assert_eq!(
        (matrix.len(), matrix.get(5, 2), matrix.get(5, 700_000), matrix.get(999_999, 3)),
        (3, 3.0, 7.0, 5.0)
    );
}
#[test]
fn empty_matrices() {
    for (rows, columns) in [(0, 0), (0, 3), (3, 0)] {
        let matrix = Csr::<f32>::from_triplets(rows, columns, &[]).expect("a matrix");
        assert_eq!((matrix.rows(), matrix.columns(), matrix.is_empty()), (rows, columns, true));
        assert_eq!(matrix.adjoint().rows(), columns);
    }
}

fn inverses<E: Expanded>(random: &mut Random) {
    for _ in 0..20 {
        let entry = E::random(random);
        let Some(inverse) = entry.inverse() else { panic!("{entry:?} has no inverse") };
        let x = elements::<E>(random, 1)[0];
        let back = inverse.times(entry.times(x));
        for (x, back) in E::numbers(x).into_iter().zip(E::numbers(back)) {
            // a block's condition may be anything
            assert!((x - back).abs() < 1e-6, "{x}, not {back}");
        }
    }
    assert!(E::ZERO.inverse().is_none());
}
#[test]
fn inverses_undo_products() {
    let random = &mut Random(1);
    inverses::<f64>(random);
    inverses::<Complex<f64>>(random);
    inverses::<Quaternion<f64>>(random);
    inverses::<DualQuaternion<f64>>(random);
    inverses::<DenseBlock<f64, 2>>(random);
    inverses::<DenseBlock<f64, 3>>(random);
    inverses::<DenseBlock<f64, 6>>(random);
    // pivots
    let swap = DenseBlock([[0.0_f64, 2.0], [4.0, 0.0]]);
    assert_eq!(swap.inverse(), Some(DenseBlock([[0.0, 0.25], [0.5, 0.0]])));
    assert_eq!(DenseBlock([[1.0_f64, 2.0], [2.0, 4.0]]).inverse(), None);
}

/// Adjoints made on both machines.
fn adjoints<E: Expanded>(device: &Device) {
    let mut random = Random(11);
    for (size, most) in [([1, 1], 1), ([90, 65], 9), ([300, 2500], 40)] {
        let matrix = random_matrix::<E>(&mut random, size, most);
        let adjoint = matrix.adjoint();
        assert_eq!(adjoint.adjoint(), matrix);
        for (row, column, entry) in matrix.triplets() {
            assert_eq!(adjoint.get(column as usize, row), entry.adjoint());
        }
        for schedule in [Schedule::Balanced, Schedule::Rows { threads: 64 }] {
            let variant = Variant { layout: Layout::CSR, schedule };
            let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
            let found = on_device.adjoint().expect("memory");
            assert_eq!(found.download().expect("memory"), adjoint);
            let x = elements::<E>(&mut random, matrix.rows());
            let from = Vector::upload(device, &x, VectorLayout::Aos).expect("memory");
            let mut to = found.range().expect("memory");
            found.multiply(&from, &mut to).expect("a product");
            assert_near::<E>(&to.download().expect("memory"), &product(&adjoint, &x), "adjoint");
        }
    }
}
/// Diagonals in every layout.
fn diagonals<E: Expanded>(device: &Device) {
    let mut random = Random(12);
    let mut triplets: Vec<_> = (0..77).map(|i| (i, i, E::random(&mut random))).collect();
    for _ in 0..300 {
        triplets.push((random.below(77), random.below(77), E::random(&mut random)));
    }
    let matrix = Csr::from_triplets(77, 77, &triplets).expect("a matrix");
    let expected: Vec<E> = (0..77).map(|i| matrix.get(i as usize, i)).collect();
    for layout in Layout::all() {
        let variant = Variant { layout, schedule: Schedule::Rows { threads: 64 } };
        let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
        assert_eq!(on_device.diagonal().expect("a diagonal"), expected, "{layout}");
    }
    triplets.retain(|&(row, column, _)| (row, column) != (40, 40));
    let matrix = Csr::from_triplets(77, 77, &triplets).expect("a matrix");
    let on_device = SparseMatrix::new(device, &matrix).expect("a matrix");
    assert!(matches!(on_device.diagonal(), Err(SparseError::Diagonal { row: 40 })));
}

/// The arrays of a matrix in slices, its diagonal by itself.
fn slices_of<E: Expanded>(device: &Device, matrix: &Csr<E>, slice: u32, inner: Inner) -> SliceParts<E> {
    let n = matrix.rows();
    let off = |row: usize| {
        let (columns, values) = matrix.row(row);
        columns.iter().zip(values).filter(move |(c, _)| **c as usize != row).map(|(&c, &v)| (c, v))
    };
    let lengths: Vec<u32> = (0..n).map(|row| off(row).count() as u32).collect();
    let mut offsets = vec![0];
    for slice_lengths in lengths.chunks(slice as usize) {
        let most = slice_lengths.iter().max().copied().unwrap_or(0);
        offsets.push(offsets[offsets.len() - 1] + slice * most);
    }
    let places = offsets[offsets.len() - 1] as usize;
    // padding that must not be read
    let (mut indices, mut values) = (vec![u32::MAX; places], vec![E::ZERO; places]);
    for row in 0..n {
        for (k, (column, value)) in off(row).enumerate() {
            let place = offsets[row / slice as usize] as usize + slice as usize * k + row % slice as usize;
            (indices[place], values[place]) = (column, value);
        }
    }
    let diagonal: Vec<E> = (0..n).map(|row| matrix.get(row, row as u32)).collect();
    let arrange = |entries: &[E]| {
        let numbers = |e: &E| ribbonmesh::device::bytemuck::cast_slice::<E, E::Real>(&[*e]).to_vec();
        let all: Vec<Vec<E::Real>> = entries.iter().map(numbers).collect();
        let width = size_of::<E>() / size_of::<E::Real>();
        match inner {
            Inner::Aos => SliceValues::Aos(device.upload(entries).expect("memory")),
            Inner::Soa => {
                let parts: Vec<_> = (0..width).flat_map(|c| all.iter().map(move |e| e[c])).collect();
                SliceValues::Soa(device.upload(&parts).expect("memory"))
            }
            Inner::Grouped => {
                let zero = <E::Real as ribbonmesh_sparse::Real>::ZERO;
                let mut parts = vec![];
                for group in all.chunks(32) {
                    for c in 0..width {
                        parts.extend((0..32).map(|i| group.get(i).map_or(zero, |e| e[c])));
                    }
                }
                SliceValues::Grouped(device.upload(&parts).expect("memory"))
            }
        }
    };
    SliceParts {
        columns: n,
        slice,
        offsets: device.upload(&offsets).expect("memory"),
        lengths: device.upload(&lengths).expect("memory"),
        indices: device.upload(&indices).expect("memory"),
        values: arrange(&values),
        diagonal: Some(arrange(&diagonal)),
    }
}
fn bins<E: Expanded>(device: &Device) {
    let mut random = Random(13);
    let n = 75;
    let mut triplets: Vec<_> = (0..n).map(|i| (i, i, E::random(&mut random))).collect();
    for _ in 0..400 {
        triplets.push((random.below(n), random.below(n), E::random(&mut random)));
    }
    let matrix = Csr::from_triplets(n as usize, n as usize, &triplets).expect("a matrix");
    let x = elements::<E>(&mut random, n as usize);
    for inner in [Inner::Aos, Inner::Soa, Inner::Grouped] {
        for (slice, vector) in [(32, VectorLayout::Aos), (16, VectorLayout::Soa), (4, VectorLayout::Aos)] {
            let parts = slices_of(device, &matrix, slice, inner);
            let schedule = Schedule::Dynamic { threads: 64, blocks: 2 };
            let on_device = SparseMatrix::from_slices(parts, vector, schedule).expect("a matrix");
            let layout = Layout { outer: Outer::Sliced(slice), inner, vector };
            assert_eq!(on_device.variant().layout, layout);
            assert_eq!(on_device.len(), matrix.len());
            let from = Vector::upload(device, &x, vector).expect("memory");
            let mut to = on_device.range().expect("memory");
            on_device.multiply(&from, &mut to).expect("a product");
            assert_near::<E>(&to.download().expect("memory"), &product(&matrix, &x), &layout.to_string());
            assert_eq!(on_device.download().expect("memory"), matrix);
            assert_eq!(on_device.diagonal().expect("a diagonal")[7], matrix.get(7, 7));
        }
    }
}

suite! {
    fn adjoints_of_numbers(device) {
        adjoints::<f32>(device);
        adjoints::<f64>(device);
    }
    fn adjoints_of_compound_entries(device) {
        adjoints::<Complex<f64>>(device);
        adjoints::<Quaternion<f32>>(device);
        adjoints::<DualQuaternion<f64>>(device);
        adjoints::<DenseBlock<f32, 3>>(device);
        adjoints::<DenseBlock<f64, 6>>(device);
    }
    fn diagonals_are_found(device) {
        diagonals::<f32>(device);
        diagonals::<Complex<f64>>(device);
        diagonals::<DenseBlock<f64, 3>>(device);
    }
    fn bins_with_a_diagonal(device) {
        bins::<f64>(device);
        bins::<DenseBlock<f32, 3>>(device);
        bins::<DenseBlock<f64, 3>>(device);
        bins::<DenseBlock<f64, 6>>(device);
        bins::<Complex<f32>>(device);
    }
    /// Arrays of a device; columns in any order.
    fn buffers_of_a_device(device) {
        let starts = [0, 2, 2, 5];
        let columns = [3, 0, 1, 1, 2];
        let values = [1.0_f64, 2.0, 4.0, 8.0, 16.0];
        for schedule in [Schedule::Balanced, Schedule::Rows { threads: 32 }, Schedule::Static { threads: 32, blocks: 1 }] {
            let (s, c, v) = (device.upload(&starts), device.upload(&columns), device.upload(&values));
            let matrix = SparseMatrix::from_buffers(4, s.expect("memory"), c.expect("memory"), v.expect("memory"), schedule)
                .expect("a matrix");
            let x = Vector::upload(device, &[1.0, 10.0, 100.0, 1000.0], VectorLayout::Aos).expect("memory");
            let mut y = matrix.range().expect("memory");
            matrix.multiply(&x, &mut y).expect("a product");
            assert_eq!(y.download().expect("memory"), [1002.0, 0.0, 1720.0]);
            assert!(matches!(matrix.download(), Err(SparseError::Columns { row: 0, .. })));
        }
    }
    /// Another schedule for the same matrix.
    fn schedules_change(device) {
        let mut random = Random(14);
        let matrix = random_matrix::<f32>(&mut random, [500, 400], 30);
        let x = elements::<f32>(&mut random, 400);
        let mut on_device = SparseMatrix::with_variant(device, &matrix, Variant::CSR).expect("a matrix");
        let from = Vector::upload(device, &x, VectorLayout::Aos).expect("memory");
        let mut of_rows = None;
        for schedule in ["balanced", "static 128x4", "dynamic 64x1", "rows 512"] {
            on_device.set_schedule(Schedule::named(schedule).expect("a name")).expect("a schedule");
            let mut y = on_device.range().expect("memory");
            on_device.multiply(&from, &mut y).expect("a product");
            let y = y.download().expect("memory");
            assert_near::<f32>(&y, &product(&matrix, &x), schedule);
            if schedule != "balanced" {
                let first = of_rows.get_or_insert_with(|| y.clone());
                assert_eq!(bits(first), bits(&y), "{schedule}");
            }
        }
        assert!(matches!(on_device.set_schedule(Schedule::Rows { threads: 100 }), Err(SparseError::Variant { .. })));
    }
}
#[test]
fn names_lead_back() {
    let mut variants: Vec<_> = Layout::all().map(|layout| Variant { layout, ..Variant::CSR }).collect();
    assert_eq!(variants.len(), 16);
    variants.push(Variant { schedule: Schedule::Balanced, ..Variant::CSR });
    variants.push(Variant { schedule: Schedule::Dynamic { threads: 96, blocks: 12 }, ..Variant::CSR });
    let grouped = Layout { outer: Outer::Sliced(64), inner: Inner::Grouped, vector: VectorLayout::Soa };
    variants.push(Variant { layout: grouped, schedule: Schedule::Static { threads: 32, blocks: 1 } });
    for variant in variants {
        assert_eq!(Variant::named(&variant.to_string()), Some(variant), "{variant}");
    }
    assert_eq!(Layout::CSR.to_string(), "CSR-AoS-AoS");
    for wrong in ["", "CSR", "CSR-AoS", "CSR-AoS-AoS-AoS", "SIx-AoS-AoS", "COO-AoS-AoS", "CSR-AoSoA-AoSoA"] {
        assert_eq!(Layout::named(wrong), None, "{wrong}");
    }
}
