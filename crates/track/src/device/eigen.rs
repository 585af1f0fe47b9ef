//! Eigenvalues and eigenvectors of symmetric 3 × 3 matrices.
use glam::Vec3;
use ribbonmesh::device::math::sqrt;

/// Sweeps of three rotations: after four, the elements outside the diagonal are below the rounding of `f32`.
const SWEEPS: u32 = 4;

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric(pub [f32; 6]);
impl Symmetric {
    /// Adds the square of a vector, `weight` times.
    #[inline(always)]
    pub fn add_square(&mut self, n: Vec3, weight: f32) {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        let m = n * weight;
        self.0 =
            [xx + m.x * n.x, xy + m.x * n.y, xz + m.x * n.z, yy + m.y * n.y, yz + m.y * n.z, zz + m.z * n.z];
    }
}

/// Eigenvalues in any order, and their unit eigenvectors.
#[derive(Clone, Copy, Debug)]
pub struct Eigen {
    /// Eigenvalues.
    pub values: [f32; 3],
    /// Eigenvectors.
    pub vectors: [Vec3; 3],
}

/// One rotation in the plane of two axes p and q: returns the new pp, qq, pr, qr and the new vectors.
#[inline(always)]
fn rotate([pp, qq, pq, pr, qr]: [f32; 5], p: Vec3, q: Vec3) -> ([f32; 4], Vec3, Vec3) {
    if pq.abs() <= 1e-12 * (pp.abs() + qq.abs()) {
        return ([pp, qq, pr, qr], p, q);
    }
    let theta = (qq - pp) / (2.0 * pq);
    let t = 1.0 / (theta.abs() + sqrt(theta * theta + 1.0));
    let t = if theta < 0.0 { -t } else { t };
    let c = 1.0 / sqrt(t * t + 1.0);
    let s = t * c;
    ([pp - t * pq, qq + t * pq, c * pr - s * qr, s * pr + c * qr], c * p - s * q, s * p + c * q)
}

/// Computes them by Jacobi's method (Golub and Van Loan, *Matrix Computations*, 8.5): about 400 operations.
/// Values and vectors are exact to about 10⁻⁶ of the largest eigenvalue.
#[inline(always)]
pub fn eigen(matrix: Symmetric) -> Eigen {
    let [mut xx, mut xy, mut xz, mut yy, mut yz, mut zz] = matrix.0;
    let (mut u, mut v, mut w) = (Vec3::X, Vec3::Y, Vec3::Z);
    let mut sweep = 0;
    while sweep < SWEEPS {
        ([xx, yy, xz, yz], u, v) = rotate([xx, yy, xy, xz, yz], u, v);
        ([xx, zz, xy, yz], u, w) = rotate([xx, zz, xz, 0.0, yz], u, w);
        ([yy, zz, xy, xz], v, w) = rotate([yy, zz, yz, xy, 0.0], v, w);
        yz = 0.0;
        sweep += 1;
    }
    Eigen { values: [xx, yy, zz], vectors: [u, v, w] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_basis() {
        let basis = [
            Vec3::new(1.0, 2.0, 2.0) / 3.0,
            Vec3::new(2.0, 1.0, -2.0) / 3.0,
            Vec3::new(2.0, -2.0, 1.0) / 3.0,
        ];
        for values in [[3.0, 2.0, 1.0], [5.0, 0.0, 0.0], [1.0, 1.0, 0.01], [2.0, 2.0, 2.0], [1e-6, 3e-6, 0.0]]
        {
            let mut matrix = Symmetric::default();
            for (n, value) in basis.into_iter().zip(values) {
                matrix.add_square(n, value);
            }
            let found = eigen(matrix);
            let largest = values.into_iter().fold(0.0, f32::max);
            let mut sorted = found.values;
            sorted.sort_by(|a, b| b.total_cmp(a));
            let mut expected = values;
            expected.sort_by(|a, b| b.total_cmp(a));
            for (a, b) in sorted.into_iter().zip(expected) {
                assert!((a - b).abs() < 3e-6 * largest, "{sorted:?} {expected:?}");
            }
            for (value, n) in found.values.into_iter().zip(found.vectors) {
                let [xx, xy, xz, yy, yz, zz] = matrix.0;
                let product = Vec3::new(
                    xx * n.x + xy * n.y + xz * n.z,
                    xy * n.x + yy * n.y + yz * n.z,
                    xz * n.x + yz * n.y + zz * n.z,
                );
                assert!((product - value * n).length() < 5e-6 * largest, "{value} {n} {product}");
                assert!((n.length() - 1.0).abs() < 1e-5);
            }
        }
    }
}
