//! Options and reports.
use ribbonmesh::{Error, Result};
use ribbonmesh_intrinsic::LaplacianOptions;
use serde::Serialize;

/// Options of [`spectrum`](crate::spectrum()).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpectrumOptions {
    /// Eigenpairs: the lowest ones, with all zeros; at least 1, and at most the number of vertices that have
    /// triangles. Default: 100.
    pub count: usize,
    /// The residual of each pair, as a part of its eigenvalue, above 0 and below 1; what rounding leaves is
    /// small enough, too. The relative error of an eigenvalue is about its square. Default: 10⁻⁶.
    pub tolerance: f64,
    /// Iterations at most. Default: 200.
    pub iterations: usize,
    /// Whether times of the parts are measured, for which the host waits more often. Default: false.
    pub timed: bool,
    /// The triangulation, and the masses of vertices.
    pub laplacian: LaplacianOptions,
}
impl Default for SpectrumOptions {
    fn default() -> Self {
        Self {
            count: 100,
            tolerance: 1e-6,
            iterations: 200,
            timed: false,
            laplacian: LaplacianOptions::default(),
        }
    }
}
impl SpectrumOptions {
    /// Checks options that are independent of a mesh.
    /// # Errors
    /// [`Error::Option`] names the first option that is out of range.
    pub fn check(&self) -> Result<()> {
        let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
        if self.count == 0 {
            return refuse("count", "0".into(), "at least 1");
        }
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return refuse("tolerance", self.tolerance.to_string(), "a number above 0 and below 1");
        }
        Ok(())
    }
}

/// Seconds of the parts of a run, if they are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SpectrumTimes {
    /// The matrix and the levels of multigrid.
    pub levels: f64,
    /// Products with the matrix, and residuals.
    pub multiply: f64,
    /// Cycles of multigrid.
    pub precondition: f64,
    /// Products of columns with columns.
    pub products: f64,
    /// Linear combinations of columns.
    pub combine: f64,
    /// Small matrices on the host.
    pub small: f64,
}

/// Report of [`spectrum`](crate::spectrum()).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpectrumReport {
    /// Eigenpairs.
    pub count: usize,
    /// Components of the surface, each with an eigenvalue 0.
    pub components: usize,
    /// The sum of all masses: the area of the surface.
    pub area: f64,
    /// Columns of the block of approximations; 0 if the matrix was solved as a dense one, or not at all.
    pub block: usize,
    /// Iterations.
    pub iterations: usize,
    /// The greatest residual of a pair, as a part of its eigenvalue.
    pub residual: f64,
    /// Pairs whose residual is within the tolerance, or is what rounding leaves.
    pub converged: usize,
    /// Levels of multigrid.
    pub levels: usize,
    /// Seconds of parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<SpectrumTimes>,
}
