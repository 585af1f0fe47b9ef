//! The symmetric Dirichlet energy of a linear map with gradient and Hessian.
//!
//! The eigenvectors of the Hessian are those of any energy of singular values (Smith, de Goes and Kim,
//! *Analytic eigensystems for isotropic distortion energies*, 2019): two scale along the singular directions,
//! one twists, one flips. Their eigenvalues follow from the derivatives by the singular values.
use super::complex::{Linear, conjugate_times, direction, times};
use glam::{DVec2, DVec4};
use ribbonmesh_energies::{Scalar, Second, Variable, symmetric_dirichlet};

/// The energy; infinite unless the determinant is positive.
#[inline(always)]
pub fn energy(map: Linear) -> f64 {
    symmetric_dirichlet(2.0 * (map.z.dot(map.z) + map.w.dot(map.w)), map.determinant())
}

/// Directions and eigenvalues of the Hessian at a map with positive determinant.
#[derive(Clone, Copy)]
pub struct Model {
    /// The direction of z, then that of w.
    pub directions: DVec4,
    /// Eigenvalues: the greater singular value, the lesser, twist, flip. None is negative.
    pub curvatures: DVec4,
}
/// The least eigenvalue of a twist: a turn of the whole map costs nothing, and a system needs more.
const LEAST: f64 = 1e-6;
/// Singular values that differ by less than this part count as the same.
const SAME: f64 = 1e-5;

impl Model {
    /// The model at a map and the gradient of the energy.
    #[inline(always)]
    pub fn at(map: Linear) -> (Self, Linear) {
        let z = direction(map.z, DVec2::X);
        let w = direction(map.w, z);
        let (large, small) = (libm::sqrt(map.z.dot(map.z)), libm::sqrt(map.w.dot(map.w)));
        let (a, b) = (large + small, large - small);
        let [x, y] = [(a, 0), (b, 1)].map(|(value, k)| Second::<f64, 2, 3>::variable(value, k));
        let of = symmetric_dirichlet(x.square() + y.square(), x * y);
        let ([slope_a, slope_b], [along_a, _, along_b]) = (of.gradient, of.hessian);
        let twist = (slope_a + slope_b) / (a + b);
        let flip = if a - b > SAME * a { (slope_a - slope_b) / (a - b) } else { along_a };
        let curvatures = DVec4::new(along_a, along_b, if twist > LEAST { twist } else { LEAST }, flip);
        let gradient = Linear { z: z * (0.5 * (slope_a + slope_b)), w: w * (0.5 * (slope_a - slope_b)) };
        (Self { directions: DVec4::new(z.x, z.y, w.x, w.y), curvatures }, gradient)
    }
    /// The Hessian times a change of the map.
    #[inline(always)]
    pub fn times(&self, change: Linear) -> Linear {
        let (z, w) = (
            DVec2::new(self.directions.x, self.directions.y),
            DVec2::new(self.directions.z, self.directions.w),
        );
        let (turn, mirror) = (conjugate_times(z, change.z), conjugate_times(w, change.w));
        let k = self.curvatures;
        let (a, b) = (k.x * (turn.x + mirror.x), k.y * (turn.x - mirror.x));
        Linear {
            z: times(z, DVec2::new(0.5 * (a + b), k.z * turn.y)),
            w: times(w, DVec2::new(0.5 * (a - b), k.w * mirror.y)),
        }
    }
}

/// The first step along `change` at which the determinant is 0; infinite if there is none.
#[inline(always)]
pub fn first_fold(map: Linear, change: Linear) -> f64 {
    let c = map.determinant();
    let b = 2.0 * (map.z.dot(change.z) - map.w.dot(change.w));
    let a = change.determinant();
    let inner = b * b - 4.0 * a * c;
    if inner < 0.0 || (b >= 0.0 && a >= 0.0) {
        return f64::INFINITY;
    }
    // the least positive root, without a difference of near numbers
    let root = libm::sqrt(inner);
    let t = if b < 0.0 { 2.0 * c / (root - b) } else { -(root + b) / (2.0 * a) };
    if t > 0.0 { t } else { f64::INFINITY }
}
