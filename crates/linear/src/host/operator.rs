//! Operators and preconditioners of a solve.
use super::cg::{Run, Vectors};
use super::vector::Vector;
use ribbonmesh::device::BufferView;

/// A symmetric positive definite matrix, as conjugate gradients see it.
///
/// Its functions launch, and wait for nothing. [`Operator::direct`] is the product together with the steps
/// before and after it: one kernel of one's own that computes p = z + β p as it reads p, and ends with
/// [`Scalars::step`](crate::Scalars::step); or three launches, [`Run::turn`], the product, [`Run::step`]. In
/// the same way [`Operator::advance`] may compute the preconditioned residual as it writes the residual.
pub trait Operator {
    /// Its vectors.
    type Vector: Vector;
    /// The error of an application of the operator.
    type Error: From<ribbonmesh::Error>;
    /// p = z + β p, q = A p, α. `z` is the residual, unless the preconditioner has launches of its own.
    /// # Errors
    /// Errors of launches.
    fn direct(
        &mut self,
        z: &Self::Vector,
        p: &mut Self::Vector,
        q: &mut Self::Vector,
        run: &mut Run,
    ) -> Result<(), Self::Error>;
    /// x += α p, r -= α q, and a kernel that ends with [`Scalars::residual`](crate::Scalars::residual). One
    /// launch by default.
    /// # Errors
    /// Errors of launches.
    fn advance(
        &mut self,
        with: &mut Vectors<Self::Vector>,
        x: &mut Self::Vector,
        run: &mut Run,
    ) -> Result<(), Self::Error> {
        Ok(run.advance(with, x)?)
    }
    /// r · z and β, where the preconditioner has launches of its own. One launch by default.
    /// # Errors
    /// Errors of launches.
    fn weigh(&mut self, r: &Self::Vector, z: &Self::Vector, run: &mut Run) -> Result<(), Self::Error> {
        Ok(run.weigh(r, z)?)
    }
}

/// A preconditioner with launches of its own. One that is computed with the residual, such as Jacobi's or
/// that of blocks, is part of an operator's [`advance`](Operator::advance).
pub trait Preconditioner<V, E> {
    /// z = M r. Kernels may return at once where the solve has ended ([`running`](crate::running) of
    /// `state`).
    /// # Errors
    /// Errors of launches.
    fn apply(&mut self, state: BufferView<'_, f64>, r: &V) -> Result<&V, E>;
}
