//! Multigrid as a preconditioner.
use super::error::MultigridError;
use super::multigrid::Multigrid;
use super::numbers::Numbers;
use ribbonmesh::device::BufferView;
use ribbonmesh_linear::{Preconditioner, Vector};

/// Multigrid with a vector for its result: a [`Preconditioner`] of `ribbonmesh-linear`.
#[derive(Debug)]
pub struct Cycle<'a, X: Vector> {
    /// The levels.
    pub multigrid: &'a mut Multigrid<X::Real>,
    /// The result of a cycle.
    pub z: &'a mut X,
}
impl<X: Vector<Real: Numbers>, E: From<MultigridError>> Preconditioner<X, E> for Cycle<'_, X> {
    fn apply(&mut self, state: BufferView<'_, f64>, r: &X) -> Result<&X, E> {
        self.multigrid.apply(state, r, self.z)?;
        Ok(self.z)
    }
}
