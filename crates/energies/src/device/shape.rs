//! Kinds of elements: how many vertices they have, and what their energies depend on.
use super::derivatives::{First, Second, Variable};
use super::scalar::{Number, Scalar};
use super::unroll::unroll;

/// A kind of element. Energies do not change when an element is translated, so that they depend on the edge
/// vectors from the first vertex to the others alone: 9 numbers of a triangle become 6, 12 of a tetrahedron
/// become 9.
pub trait Shape: Copy + 'static {
    /// Vertices.
    const VERTICES: usize;
    /// Coordinates of a vertex that the energy depends on: 3, or 2 in the plane.
    const DIMENSIONS: usize;
    /// Variables: coordinates of edge vectors.
    const VARIABLES: usize = (Self::VERTICES - 1) * Self::DIMENSIONS;
    /// Numbers of a packed Hessian by the variables.
    const PACKED: usize = Self::VARIABLES * (Self::VARIABLES + 1) / 2;
    /// The vectors from the first vertex to the others.
    type Edges<S: Scalar>: Copy;
    /// A scalar with first derivatives by all variables.
    type First<R: Number>: Variable<Real = R>;
    /// A scalar with first and second derivatives by all variables.
    type Second<R: Number>: Variable<Real = R>;
    /// Edge vectors of coordinates; variable `k` is coordinate `k % DIMENSIONS` of vector `k / DIMENSIONS`.
    fn edges<S: Scalar>(of: impl Fn(usize) -> S) -> Self::Edges<S>;
    /// Runs `f` for each derivative with its variable.
    fn first<R: Number>(of: &Self::First<R>, f: impl FnMut(usize, R));
    /// Runs `f` for each variable with the derivative by it.
    fn gradient<R: Number>(of: &Self::Second<R>, f: impl FnMut(usize, R));
    /// Runs `f` for each place of the packed Hessian, projected onto matrices without negative eigenvalues if
    /// `project`.
    fn hessian<R: Number>(of: &Self::Second<R>, project: bool, f: impl FnMut(usize, R));
}

macro_rules! shapes { ($($(#[$doc:meta])* $name:ident $vertices:literal $dimensions:literal $n:literal $h:literal;)*) => { $(
    $(#[$doc])*
    #[derive(Clone, Copy, Debug)]
    pub struct $name;
    impl Shape for $name {
        const VERTICES: usize = $vertices;
        const DIMENSIONS: usize = $dimensions;
        type Edges<S: Scalar> = [[S; $dimensions]; $vertices - 1];
        type First<R: Number> = First<R, $n>;
        type Second<R: Number> = Second<R, $n, $h>;
        #[inline(always)]
        fn edges<S: Scalar>(of: impl Fn(usize) -> S) -> Self::Edges<S> {
            let mut edges = [[of(0); $dimensions]; $vertices - 1];
            unroll!(a < $vertices - 1 => {
                unroll!(c < $dimensions => { edges[a][c] = of(a * $dimensions + c); });
            });
            edges
        }
        #[inline(always)]
        fn first<R: Number>(of: &Self::First<R>, mut f: impl FnMut(usize, R)) {
            unroll!(k < $n => { f(k, of.gradient[k]); });
        }
        #[inline(always)]
        fn gradient<R: Number>(of: &Self::Second<R>, mut f: impl FnMut(usize, R)) {
            unroll!(k < $n => { f(k, of.gradient[k]); });
        }
        #[inline(always)]
        fn hessian<R: Number>(of: &Self::Second<R>, project: bool, mut f: impl FnMut(usize, R)) {
            let mut hessian = of.hessian;
            if project {
                super::project::project::<R, $n, $h>(&mut hessian);
            }
            unroll!(i < $n => {
                unroll!(j < $n => {
                    if j <= i {
                        f(super::unroll::packed(i, j), hessian[super::unroll::packed(i, j)]);
                    }
                });
            });
        }
    }
)* } }
shapes! {
    /// Two vertices: 3 variables.
    Edge 2 3 3 6;
    /// Three vertices: 6 variables.
    Triangle 3 3 6 21;
    /// Three vertices in the plane, whose third coordinate does not matter: 4 variables.
    FlatTriangle 3 2 4 10;
    /// Four vertices: 9 variables.
    Tetrahedron 4 3 9 45;
}
