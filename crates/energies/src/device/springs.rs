//! Springs.
use super::energy::Energy;
use super::scalar::{Number, Scalar, dot};
use super::shape::Edge;
use ribbonmesh::device::{In, Parameter};

/// Springs between two vertices: k / 2 (l / L - 1)² L for a length l and a length at rest L, which is
/// positive. The energy has no derivatives where l is 0.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Springs<'a, R> {
    /// The force of a spring of twice its length.
    pub stiffness: f64,
    /// The length of each spring at rest.
    pub rest: In<'a, R>,
}
impl<R: Number> Energy for Springs<'_, R> {
    type Shape = Edge;
    type Real = R;
    #[inline(always)]
    fn energy<S: Scalar<Real = R>>(&self, element: u32, [edge]: [[S; 3]; 1]) -> S {
        let rest = self.rest.get(element);
        let strain = dot(edge, edge).sqrt().times(R::ONE / rest).plus(-R::ONE);
        strain.square().times(R::from_f64(0.5 * self.stiffness) * rest)
    }
}
