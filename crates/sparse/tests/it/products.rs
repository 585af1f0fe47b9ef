//! Products in every layout against dense expansions and the serial product.
use crate::common::{self, Random};
use crate::expanded::{Expanded, assert_near, bits, elements, product, random_matrix};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_sparse::{
    Complex, Csr, DenseBlock, DualQuaternion, Inner, Layout, Outer, Quaternion, Schedule, SparseMatrix,
    Variant, Vector, VectorLayout,
};

/// The thesis's layouts, and some that are ours.
fn layouts() -> Vec<Layout> {
    let mut all: Vec<Layout> = Layout::all().collect();
    for outer in [Outer::Csr, Outer::Ell, Outer::Sliced(32), Outer::Sliced(2), Outer::Sliced(256)] {
        all.push(Layout { outer, inner: Inner::Grouped, vector: VectorLayout::Aos });
    }
    all.push(Layout { outer: Outer::Sliced(64), inner: Inner::Soa, vector: VectorLayout::Soa });
    all
}
fn variants() -> Vec<Variant> {
    let mut all = vec![Variant { layout: Layout::CSR, schedule: Schedule::Balanced }];
    for (i, layout) in layouts().into_iter().enumerate() {
        let schedules = [
            Schedule::Rows { threads: 128 },
            Schedule::Static { threads: 64, blocks: 2 },
            Schedule::Dynamic { threads: 32, blocks: 3 },
        ];
        all.push(Variant { layout, schedule: schedules[i % 3] });
        all.push(Variant { layout, schedule: schedules[(i + 1) % 3] });
    }
    all
}

fn all_layouts_agree<E: Expanded>(device: &Device, seed: u64) {
    let mut random = Random(seed);
    for (size, most) in [([1, 1], 1), ([67, 45], 9), ([common::size(1100, 300), 700], 20)] {
        let matrix = random_matrix::<E>(&mut random, size, most);
        let x = elements::<E>(&mut random, matrix.columns());
        let expected = product(&matrix, &x);
        let serial = matrix.multiply(&x).expect("lengths");
        assert_near::<E>(&serial, &expected, "serial");
        let csr = SparseMatrix::with_variant(device, &matrix, Variant::CSR).expect("a matrix");
        for variant in variants() {
            let what = format!("{}, {size:?}, {variant}", std::any::type_name::<E>());
            let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
            let from = Vector::upload(device, &x, variant.layout.vector).expect("memory");
            let mut to = on_device.range().expect("memory");
            on_device.multiply(&from, &mut to).expect("a product");
            let found = to.download().expect("memory");
            assert_near::<E>(&found, &expected, &what);
            if device.kind() == DeviceKind::Cpu && variant.schedule != Schedule::Balanced {
                assert_eq!(bits(&found), bits(&serial), "{what}");
            }
            // the same bits again, over any old content
            on_device.multiply(&from, &mut to).expect("a product");
            assert_eq!(bits(&to.download().expect("memory")), bits(&found), "{what}");
            assert_eq!(on_device.download().expect("memory"), matrix, "{what}");
            // the layout made on the device is that made on the host
            let made = csr.rearranged(variant).expect("a matrix");
            assert_eq!((made.variant(), made.bytes()), (variant, on_device.bytes()), "{what}");
            assert_eq!(made.download().expect("memory"), matrix, "{what}");
            made.multiply(&from, &mut to).expect("a product");
            assert_eq!(bits(&to.download().expect("memory")), bits(&found), "{what}");
        }
    }
}
macro_rules! types { ($($name:ident $entry:ty;)*) => { suite! { $(
    fn $name(device) {
        all_layouts_agree::<$entry>(device, 1);
    }
)* } } }
types! {
    numbers_f32 f32;
    numbers_f64 f64;
    complex_f32 Complex<f32>;
    complex_f64 Complex<f64>;
    quaternions_f32 Quaternion<f32>;
    quaternions_f64 Quaternion<f64>;
    dual_quaternions_f32 DualQuaternion<f32>;
    dual_quaternions_f64 DualQuaternion<f64>;
    blocks_of_2_f32 DenseBlock<f32, 2>;
    blocks_of_2_f64 DenseBlock<f64, 2>;
    blocks_of_3_f32 DenseBlock<f32, 3>;
    blocks_of_3_f64 DenseBlock<f64, 3>;
    blocks_of_4_f32 DenseBlock<f32, 4>;
    blocks_of_4_f64 DenseBlock<f64, 4>;
    blocks_of_5_f32 DenseBlock<f32, 5>;
    blocks_of_5_f64 DenseBlock<f64, 5>;
    blocks_of_6_f32 DenseBlock<f32, 6>;
    blocks_of_6_f64 DenseBlock<f64, 6>;
}

mod more {
    use super::*;

    /// Long rows are cut, and added in the same order every time.
    fn long_rows_of<E: Expanded>(device: &Device) {
        let mut random = Random(3);
        let (rows, columns) = (40_u32, 9000_u32);
        let lengths = |row: u32| match row {
            0 => 9000,
            7 => 2049,
            8 => 0,
            39 => 5000,
            row => row,
        };
        let triplets: Vec<_> = (0..rows)
            .flat_map(|row| (0..lengths(row)).map(move |k| (row, k * (columns / lengths(row).max(1)))))
            .map(|(row, column)| (row, column, E::random(&mut random)))
            .collect();
        let matrix = Csr::from_triplets(rows as usize, columns as usize, &triplets).expect("a matrix");
        let x = elements::<E>(&mut random, columns as usize);
        let variant = Variant { layout: Layout::CSR, schedule: Schedule::Balanced };
        let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
        let from = Vector::upload(device, &x, VectorLayout::Aos).expect("memory");
        let mut first = None;
        for _ in 0..3 {
            let mut to =
                Vector::upload(device, &elements::<E>(&mut random, rows as usize), VectorLayout::Aos)
                    .expect("memory");
            on_device.multiply(&from, &mut to).expect("a product");
            let found = to.download().expect("memory");
            assert_near::<E>(&found, &product(&matrix, &x), "long rows");
            let first = first.get_or_insert_with(|| found.clone());
            assert_eq!(bits(first), bits(&found));
        }
    }
    suite! {
        fn long_rows(device) {
            long_rows_of::<f32>(device);
            long_rows_of::<f64>(device);
            long_rows_of::<DenseBlock<f64, 3>>(device);
            long_rows_of::<DenseBlock<f32, 6>>(device);
        }
        /// Column 0, which padding names, belongs to no entry: its element reaches no row.
        fn padding_is_not_multiplied(device) {
            let rows = 100;
            let triplets: Vec<_> =
                (0..rows).flat_map(|row| (0..row % 7).map(move |k| (row, 1 + k, 1.0_f32))).collect();
            let matrix = Csr::from_triplets(rows as usize, 8, &triplets).expect("a matrix");
            for special in [f32::INFINITY, f32::NAN] {
                let mut x = vec![2.0; 8];
                x[0] = special;
                for variant in variants() {
                    let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
                    let x = Vector::upload(device, &x, variant.layout.vector).expect("memory");
                    let mut y = on_device.range().expect("memory");
                    on_device.multiply(&x, &mut y).expect("a product");
                    let expected: Vec<f32> = (0..rows).map(|row| 2.0 * (row % 7) as f32).collect();
                    assert_eq!(y.download().expect("memory"), expected, "{variant}");
                }
            }
        }
        /// `y = α A x + β y` in every layout; without β, NaN in y does not stay.
        fn scaled(device) {
            let mut random = Random(5);
            type E = DenseBlock<f64, 3>;
            let matrix = random_matrix::<E>(&mut random, [130, 90], 8);
            let (x, y) = (elements::<E>(&mut random, 90), elements::<E>(&mut random, 130));
            let expected: Vec<Vec<f64>> = product(&matrix, &x)
                .iter()
                .zip(&y)
                .map(|(ax, y)| ax.iter().zip(y).map(|(ax, y)| 2.0 * ax - 0.5 * y).collect())
                .collect();
            for variant in variants() {
                let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
                let x = Vector::upload(device, &x, variant.layout.vector).expect("memory");
                let mut to = Vector::upload(device, &y, variant.layout.vector).expect("memory");
                on_device.multiply_scaled(2.0, &x, -0.5, &mut to).expect("a product");
                assert_near::<E>(&to.download().expect("memory"), &expected, &variant.to_string());
                let not_numbers = vec![[f64::NAN; 3]; 130];
                let mut to = Vector::upload(device, &not_numbers, variant.layout.vector).expect("memory");
                on_device.multiply_scaled(-1.0, &x, 0.0, &mut to).expect("a product");
                let negative: Vec<Vec<f64>> = product(&matrix, &x.download().expect("memory"))
                    .iter()
                    .map(|row| row.iter().map(|x| -x).collect())
                    .collect();
                assert_near::<E>(&to.download().expect("memory"), &negative, &variant.to_string());
            }
        }
        /// Several vectors at once are what they are one by one, to the bit.
        fn many_vectors(device) {
            let mut random = Random(6);
            type E = Complex<f32>;
            let matrix = random_matrix::<E>(&mut random, [205, 150], 8);
            for many in [1, 2, 3, 4, 7] {
                let x = elements::<E>(&mut random, 150 * many);
                for mut variant in variants() {
                    if variant.schedule == Schedule::Balanced {
                        variant.schedule = Schedule::Rows { threads: 64 };
                    }
                    let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
                    let layout = variant.layout.vector;
                    let mut all = Vector::zeros(device, 205 * many, layout).expect("memory");
                    let from = Vector::upload(device, &x, layout).expect("memory");
                    on_device.multiply_many(&from, &mut all, many as u32).expect("a product");
                    let all = all.download().expect("memory");
                    for j in 0..many {
                        let own: Vec<_> = x.iter().skip(j).step_by(many).copied().collect();
                        let own = Vector::upload(device, &own, layout).expect("memory");
                        let mut one = on_device.range().expect("memory");
                        on_device.multiply(&own, &mut one).expect("a product");
                        let found: Vec<_> = all.iter().skip(j).step_by(many).copied().collect();
                        assert_eq!(bits(&found), bits(&one.download().expect("memory")), "{many}, {variant}");
                    }
                }
            }
        }
        /// Balanced matrices multiply several vectors, too.
        fn many_vectors_of_balanced(device) {
            let mut random = Random(7);
            let matrix = random_matrix::<f64>(&mut random, [900, 800], 20);
            let x = elements::<f64>(&mut random, 1600);
            let variant = Variant { layout: Layout::CSR, schedule: Schedule::Balanced };
            let on_device = SparseMatrix::with_variant(device, &matrix, variant).expect("a matrix");
            let from = Vector::upload(device, &x, VectorLayout::Aos).expect("memory");
            let mut to = Vector::zeros(device, 1800, VectorLayout::Aos).expect("memory");
            on_device.multiply_many(&from, &mut to, 2).expect("a product");
            let found = to.download().expect("memory");
            for j in 0..2 {
                let own: Vec<_> = x.iter().skip(j).step_by(2).copied().collect();
                let found: Vec<_> = found.iter().skip(j).step_by(2).copied().collect();
                assert_near::<f64>(&found, &product(&matrix, &own), "of two");
            }
        }
        /// Sums and scalar products of vectors.
        fn vectors(device) {
            let mut random = Random(8);
            for n in [0, 1, 1000, 3000] {
                for layout in [VectorLayout::Aos, VectorLayout::Soa] {
                    let (a, b) = (elements::<Quaternion<f32>>(&mut random, n), elements::<Quaternion<f32>>(&mut random, n));
                    let x = Vector::upload(device, &a, layout).expect("memory");
                    let mut y = Vector::upload(device, &b, layout).expect("memory");
                    let numbers = |all: &[Quaternion<f32>]| all.iter().flat_map(|q| Quaternion::<f32>::numbers(*q)).collect::<Vec<f64>>();
                    let expected: f64 = numbers(&a).iter().zip(numbers(&b)).map(|(x, y)| x * y).sum();
                    let found = x.dot(&y).expect("memory");
                    assert!((found - expected).abs() < 1e-9 * (1.0 + n as f64), "{found}, not {expected}");
                    assert_eq!(found.to_bits(), x.dot(&y).expect("memory").to_bits());
                    y.axpby(2.0, &x, -1.0).expect("memory");
                    let sums = numbers(&y.download().expect("memory"));
                    for ((x, y), sum) in numbers(&a).iter().zip(numbers(&b)).zip(sums) {
                        assert!((2.0 * x - y - sum).abs() < 1e-6, "{sum}");
                    }
                    y.axpby(1.0, &x, 0.0).expect("memory");
                    assert_eq!(bits(&y.download().expect("memory")), bits(&a));
                }
            }
        }
        /// Plain buffers are vectors of the layout AoS.
        fn buffers(device) {
            let mut random = Random(9);
            let matrix = random_matrix::<DenseBlock<f32, 3>>(&mut random, [70, 60], 5);
            let on_device = SparseMatrix::new(device, &matrix).expect("a matrix");
            let x = elements::<DenseBlock<f32, 3>>(&mut random, 60);
            let (from, mut to) = (device.upload(&x).expect("memory"), device.zeros(70).expect("memory"));
            if on_device.variant().layout.vector == VectorLayout::Aos {
                on_device.multiply_buffers(&from, &mut to).expect("a product");
                assert_near::<DenseBlock<f32, 3>>(&to.read().expect("memory"), &product(&matrix, &x), "buffers");
            }
            let soa = Layout { vector: VectorLayout::Soa, ..Layout::CSR };
            let soa = Variant { layout: soa, schedule: Schedule::Rows { threads: 64 } };
            let soa = SparseMatrix::with_variant(device, &matrix, soa).expect("a matrix");
            assert!(soa.multiply_buffers(&from, &mut to).is_err());
        }
    }
}
