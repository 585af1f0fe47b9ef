//! Options and reports.
use ribbonmesh::{Error, Result};
use ribbonmesh_application::Choice;
use ribbonmesh_intrinsic::LaplacianOptions;
use serde::Serialize;

/// How systems of the Laplacian are solved.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Solver {
    /// The one of the other two that takes less time for one solution; the report has the reason.
    #[default]
    Auto,
    /// Conjugate gradients with multigrid.
    Iterative,
    /// A Cholesky factorization, on one core of the host: it takes about as long to make as the levels of
    /// multigrid take one core, and another solution takes a small part of that.
    Direct,
}

/// The solver that was used, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Chosen {
    /// [`Solver::Iterative`] or [`Solver::Direct`].
    pub solver: Solver,
    /// The reason.
    pub reason: &'static str,
}

/// Options of [`HeatMethod`](crate::HeatMethod).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatOptions {
    /// The time for which heat flows, in squares of the mean length of edges, from 0.01 to 10⁶. More is
    /// smoother. Default: 1.
    pub time: f64,
    /// The residual of the equation of distances, relative to its right-hand side, above 0 and below 1.
    /// Default: 10⁻⁶.
    pub tolerance: f64,
    /// The triangulation, and the masses of vertices; `extrinsic` is refused, since heat would become
    /// negative.
    pub laplacian: LaplacianOptions,
    /// How systems are solved. On a CPU a factorization pays from the first source on where edges differ in
    /// length or vertices are 200,000 at most, elsewhere from the fourth one on.
    pub solver: Solver,
}
impl Default for HeatOptions {
    fn default() -> Self {
        Self { time: 1.0, tolerance: 1e-6, laplacian: LaplacianOptions::default(), solver: Solver::default() }
    }
}
impl HeatOptions {
    /// # Errors
    /// [`Error::Option`] names the first option that is out of range.
    pub fn check(&self) -> Result<()> {
        check(self.time, self.tolerance)?;
        if self.laplacian.extrinsic {
            let (value, expected) = ("true".into(), "false: the heat method needs weights above 0");
            return Err(Error::Option { option: "extrinsic", value, expected });
        }
        Ok(())
    }
}
fn check(time: f64, tolerance: f64) -> Result<()> {
    let refuse =
        |option, value: f64, expected| Err(Error::Option { option, value: value.to_string(), expected });
    if !(0.01..=1e6).contains(&time) {
        return refuse("time", time, "a number from 0.01 to 1000000");
    }
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return refuse("tolerance", tolerance, "a number above 0 and below 1");
    }
    Ok(())
}

/// Options of [`VectorHeat`](crate::VectorHeat).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorOptions {
    /// The time for which heat flows, in squares of the mean length of edges, from 0.01 to 10⁶. More is
    /// smoother. Default: 1.
    pub time: f64,
    /// The residual of the equation of signed distances, relative to its right-hand side, above 0 and below
    /// 1. Default: 10⁻⁸.
    pub tolerance: f64,
    /// How systems are solved.
    pub solver: Solver,
}
impl Default for VectorOptions {
    fn default() -> Self {
        Self { time: 1.0, tolerance: 1e-8, solver: Solver::default() }
    }
}
impl VectorOptions {
    /// # Errors
    /// [`Error::Option`] names the first option that is out of range.
    pub fn check(&self) -> Result<()> {
        check(self.time, self.tolerance)
    }
}

/// Report of [`HeatMethod::distances`](crate::HeatMethod::distances), and of
/// [`VectorHeat`](crate::VectorHeat).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HeatReport {
    /// Number of different sources.
    pub sources: usize,
    /// Vertices to which a path leads from a source.
    pub reached: usize,
    /// The others: their distance is +∞.
    pub unreachable: usize,
    /// How systems were solved.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// Shells in which heat was computed by iterations, from the sources outwards.
    pub shells: u32,
    /// The sum of all shells' vertices: some are in several.
    pub shell_vertices: usize,
    /// Iterations of conjugate gradients for heat and for what it carries, in all shells.
    pub heat_iterations: usize,
    /// Iterations of conjugate gradients for distances; 0 without their equation.
    pub iterations: usize,
    /// The residual of the equation of distances, relative to its right-hand side; 0 without it.
    pub residual: f64,
    /// Whether all systems were solved to their tolerances.
    pub converged: bool,
}
