//! Entries as dense real matrices, the oracle of products (Mueller-Roemer 2020, section 5.2.3), and random
//! matrices.
use crate::common::Random;
use ribbonmesh_sparse::{Complex, Csr, DenseBlock, DualQuaternion, Element, Launched, Quaternion, Real};

/// An entry as a real matrix, row by row, and a vector's element as numbers.
pub trait Expanded: Launched + PartialEq {
    const N: usize;
    fn random(random: &mut Random) -> Self;
    fn real_matrix(self) -> Vec<Vec<f64>>;
    fn element(numbers: &[f64]) -> Self::Element;
    fn numbers(element: Self::Element) -> Vec<f64>;
}
/// A number from -1 to 1.
fn number<R: Real>(random: &mut Random) -> R {
    R::from_f64(f64::from(random.below(20_001)) / 10_000.0 - 1.0)
}
macro_rules! numbers { ($($real:ident)*) => { $(
    impl Expanded for $real {
        const N: usize = 1;
        fn random(random: &mut Random) -> Self { number(random) }
        fn real_matrix(self) -> Vec<Vec<f64>> { vec![vec![self.to_f64()]] }
        fn element(numbers: &[f64]) -> Self { numbers[0] as $real }
        fn numbers(element: Self) -> Vec<f64> { vec![element.to_f64()] }
    }
    impl Expanded for Complex<$real> {
        const N: usize = 2;
        fn random(random: &mut Random) -> Self { Self::new(number(random), number(random)) }
        fn real_matrix(self) -> Vec<Vec<f64>> {
            let (a, b) = (self.re.to_f64(), self.im.to_f64());
            vec![vec![a, -b], vec![b, a]]
        }
        fn element(n: &[f64]) -> Self { Self::new(n[0] as $real, n[1] as $real) }
        fn numbers(e: Self) -> Vec<f64> { vec![e.re.to_f64(), e.im.to_f64()] }
    }
    impl Expanded for Quaternion<$real> {
        const N: usize = 4;
        fn random(r: &mut Random) -> Self { Self::new(number(r), number(r), number(r), number(r)) }
        fn real_matrix(self) -> Vec<Vec<f64>> {
            let [w, x, y, z] = [self.w, self.x, self.y, self.z].map(Real::to_f64);
            vec![vec![w, -x, -y, -z], vec![x, w, -z, y], vec![y, z, w, -x], vec![z, -y, x, w]]
        }
        fn element(n: &[f64]) -> Self {
            let [w, x, y, z] = [0, 1, 2, 3].map(|i| n[i] as $real);
            Self::new(w, x, y, z)
        }
        fn numbers(e: Self) -> Vec<f64> { [e.w, e.x, e.y, e.z].map(Real::to_f64).to_vec() }
    }
    impl Expanded for DualQuaternion<$real> {
        const N: usize = 8;
        fn random(random: &mut Random) -> Self {
            Self { real: Expanded::random(random), dual: Expanded::random(random) }
        }
        fn real_matrix(self) -> Vec<Vec<f64>> {
            let (real, dual) = (self.real.real_matrix(), self.dual.real_matrix());
            let mut all: Vec<Vec<f64>> = real.iter().map(|row| [row.clone(), vec![0.0; 4]].concat()).collect();
            all.extend((0..4).map(|i| [dual[i].clone(), real[i].clone()].concat()));
            all
        }
        fn element(n: &[f64]) -> Self {
            Self { real: Quaternion::<$real>::element(&n[..4]), dual: Quaternion::<$real>::element(&n[4..]) }
        }
        fn numbers(e: Self) -> Vec<f64> {
            [Quaternion::<$real>::numbers(e.real), Quaternion::<$real>::numbers(e.dual)].concat()
        }
    }
    blocks!($real 2 3 4 5 6);
)* } }
macro_rules! blocks { ($real:ident $($n:literal)*) => { $(
    impl Expanded for DenseBlock<$real, $n> {
        const N: usize = $n;
        fn random(random: &mut Random) -> Self {
            Self([[(); $n]; $n].map(|row| row.map(|()| number(random))))
        }
        fn real_matrix(self) -> Vec<Vec<f64>> {
            self.0.iter().map(|row| row.iter().map(|x| x.to_f64()).collect()).collect()
        }
        fn element(numbers: &[f64]) -> [$real; $n] { std::array::from_fn(|i| numbers[i] as $real) }
        fn numbers(element: [$real; $n]) -> Vec<f64> { element.iter().map(|x| x.to_f64()).collect() }
    }
)* } }
numbers!(f32 f64);

/// `A x` in double precision, by the real matrix.
pub fn product<E: Expanded>(matrix: &Csr<E>, x: &[E::Element]) -> Vec<Vec<f64>> {
    let mut y = vec![vec![0.0; E::N]; matrix.rows()];
    for (row, column, entry) in matrix.triplets() {
        let x = E::numbers(x[column as usize]);
        for (y, row) in y[row as usize].iter_mut().zip(entry.real_matrix()) {
            *y += row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>();
        }
    }
    y
}
/// The tolerance of products with numbers of this type.
pub fn tolerance<E: Expanded>() -> f64 {
    if size_of::<E::Real>() == 4 { 2e-5 } else { 1e-12 }
}
/// Fails unless elements are equal to the oracle's, up to rounding.
pub fn assert_near<E: Expanded>(found: &[E::Element], expected: &[Vec<f64>], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (found, expected) in E::numbers(*found).into_iter().zip(expected) {
            let allowed = tolerance::<E>() * (10.0 + expected.abs());
            assert!((found - expected).abs() < allowed, "{what}, row {row}: {found}, not {expected}");
        }
    }
}
/// Elements from -1 to 1.
pub fn elements<E: Expanded>(random: &mut Random, n: usize) -> Vec<E::Element> {
    (0..n).map(|_| E::element(&(0..E::N).map(|_| number::<f64>(random)).collect::<Vec<_>>())).collect()
}
/// A matrix with rows of up to `most` entries, every fifth empty, and one with an entry in every column.
pub fn random_matrix<E: Expanded>(random: &mut Random, [rows, columns]: [u32; 2], most: u32) -> Csr<E> {
    let mut triplets = vec![];
    for row in 0..rows {
        if row == rows / 2 {
            triplets.extend((0..columns).map(|column| (row, column, E::random(random))));
        } else if row % 5 != 3 {
            let len = random.below(most + 1);
            triplets.extend((0..len).map(|_| (row, random.below(columns), E::random(random))));
        }
    }
    Csr::from_triplets(rows as usize, columns as usize, &triplets).expect("a matrix")
}
/// The bits of elements, to compare NaN as well.
pub fn bits<T: Element>(elements: &[T]) -> &[u8] {
    ribbonmesh::device::bytemuck::cast_slice(elements)
}
