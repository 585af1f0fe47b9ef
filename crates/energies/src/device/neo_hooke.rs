//! Elastic bodies that deform far.
use super::energy::Energy;
use super::roots::first_root;
use super::scalar::{Number, Scalar, cross, dot};
use super::shape::Tetrahedron;
use ribbonmesh::device::{In, Parameter};

/// Neo-Hookean tetrahedra (Bonet and Wood, *Nonlinear Continuum Mechanics*, 1997): the volume times μ/2
/// (|F|² - 3) - μ ln J + λ/2 ln² J, where J = det F. Infinite where a tetrahedron turns inside out.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct NeoHookean<'a, R> {
    /// μ, where `materials` has none.
    pub mu: f64,
    /// λ, where `materials` has none.
    pub lambda: f64,
    /// μ and λ of each tetrahedron, one after the other; empty if all have the same.
    pub materials: In<'a, R>,
    /// Ten numbers for each tetrahedron: the inverse of the matrix whose columns are its edge vectors at
    /// rest, row by row, and the volume.
    pub rest: In<'a, R>,
}
impl<R: Number> Energy for NeoHookean<'_, R> {
    type Shape = Tetrahedron;
    type Real = R;
    #[inline(always)]
    fn energy<S: Scalar<Real = R>>(&self, element: u32, [u, v, w]: [[S; 3]; 3]) -> S {
        let at = |k: u32| self.rest.get(10 * element + k);
        let volume = at(9);
        let column = |k: u32| {
            let by = |c: usize| u[c].times(at(k)) + v[c].times(at(3 + k)) + w[c].times(at(6 + k));
            [by(0), by(1), by(2)]
        };
        let (p, q, r) = (column(0), column(1), column(2));
        let determinant = dot(p, cross(q, r));
        let is_proper = determinant.value() > R::ZERO;
        if !is_proper {
            return determinant.of(R::from_f64(f64::INFINITY), R::ZERO, R::ZERO);
        }
        let length = dot(p, p) + dot(q, q) + dot(r, r);
        let own = |k: u32, same: f64| self.materials.try_get(2 * element + k).unwrap_or(R::from_f64(same));
        let half = R::from_f64(0.5);
        let (mu, lambda, log) = (own(0, self.mu), half * own(1, self.lambda), determinant.ln());
        let shape = length.plus(-R::from_f64(3.0)).times(half * mu) - log.times(mu);
        (shape + log.square().times(lambda)).times(volume)
    }
    #[inline(always)]
    fn longest_step(&self, _: u32, [u, v, w]: [[R; 3]; 3], [du, dv, dw]: [[R; 3]; 3]) -> R {
        let volume = |a, b, c| dot(a, cross(b, c));
        let first = volume(du, v, w) + volume(u, dv, w) + volume(u, v, dw);
        let second = volume(du, dv, w) + volume(du, v, dw) + volume(u, dv, dw);
        first_root(volume(u, v, w), first, second, volume(du, dv, dw))
    }
}
