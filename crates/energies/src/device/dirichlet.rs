//! Symmetric Dirichlet energy.
use super::energy::Energy;
use super::roots::first_root;
use super::scalar::{Number, Scalar, dot};
use super::shape::FlatTriangle;
use ribbonmesh::device::{In, Parameter};
use ribbonmesh_linear::Real;

/// The symmetric Dirichlet energy |J|² + |J⁻¹|² of a linear map of the plane (Smith and Schaefer, *Bijective
/// Parameterization with Free Boundaries*, 2015), from the sum of the squares of its matrix' entries, or of
/// its singular values, and its determinant: 4 for an isometry, infinite unless the determinant is positive.
#[inline(always)]
pub fn symmetric_dirichlet<S: Scalar>(squares: S, determinant: S) -> S {
    let is_proper = determinant.value() > S::Real::ZERO;
    if !is_proper {
        return determinant.of(S::Real::from_f64(f64::INFINITY), S::Real::ZERO, S::Real::ZERO);
    }
    squares * determinant.square().inverse().plus(S::Real::ONE)
}

/// Symmetric Dirichlet energy of a map of triangles into the plane: the area times [`symmetric_dirichlet`]. A
/// minimum from a map without turned triangles has none.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct SymmetricDirichlet<'a, R> {
    /// Five numbers for each triangle: the inverse of the matrix whose columns are its edge vectors at rest,
    /// row by row, and the area.
    pub rest: In<'a, R>,
}
impl<R: Number> Energy for SymmetricDirichlet<'_, R> {
    type Shape = FlatTriangle;
    type Real = R;
    #[inline(always)]
    fn energy<S: Scalar<Real = R>>(&self, element: u32, [u, v]: [[S; 2]; 2]) -> S {
        let at = |k: u32| self.rest.get(5 * element + k);
        let (a, b, c, d, area) = (at(0), at(1), at(2), at(3), at(4));
        // the columns of J
        let p = [u[0].times(a) + v[0].times(c), u[1].times(a) + v[1].times(c)];
        let q = [u[0].times(b) + v[0].times(d), u[1].times(b) + v[1].times(d)];
        let determinant = p[0] * q[1] - p[1] * q[0];
        symmetric_dirichlet(dot(p, p) + dot(q, q), determinant).times(area)
    }
    #[inline(always)]
    fn longest_step(&self, _: u32, [u, v]: [[R; 2]; 2], [du, dv]: [[R; 2]; 2]) -> R {
        let cross = |a: [R; 2], b: [R; 2]| a[0] * b[1] - a[1] * b[0];
        first_root(cross(u, v), cross(u, dv) + cross(du, v), cross(du, dv), R::ZERO)
    }
}
