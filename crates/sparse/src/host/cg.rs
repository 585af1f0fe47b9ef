//! Conjugate gradients.
use super::error::{Result, SparseError, length};
use super::vector::Vector;
use super::{Launched, SparseMatrix};
use crate::Real;
use crate::device::solve::IterateArguments;
use ribbonmesh::Buffer;
use ribbonmesh::device::BufferView;
use ribbonmesh_linear as linear;
use ribbonmesh_linear::{Limits, Operator, Outcome, Run, Vectors};
use ribbonmesh_multigrid::{Cycle, Hierarchy, Modes, Multigrid, MultigridOptions};

/// The preconditioner of conjugate gradients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preconditioner {
    /// Nothing.
    None,
    /// The inverse of the diagonal; for blocks block-Jacobi.
    #[default]
    Jacobi,
    /// Multigrid by smoothed aggregation, made on the device ([`ribbonmesh_multigrid::Multigrid`]): few
    /// iterations for Laplacians, heat flow and the like, each of which takes as long as about fifteen
    /// others. For matrices of real numbers.
    Multigrid,
}

/// Options of [`ConjugateGradients`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgOptions {
    /// The length of the residual that is reached, relative to that of the right-hand side; above 0.
    pub tolerance: f64,
    /// Iterations at most.
    pub iterations: u32,
    /// The preconditioner.
    pub preconditioner: Preconditioner,
    /// Parameters of [`Preconditioner::Multigrid`].
    pub multigrid: MultigridOptions,
    /// Iterations between two looks of the host at the outcome, at least 1; with multigrid an eighth.
    pub look: u32,
}
impl Default for CgOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            iterations: 10_000,
            preconditioner: Preconditioner::Jacobi,
            multigrid: MultigridOptions::default(),
            look: 16,
        }
    }
}

/// The outcome of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgOutcome {
    /// The tolerance is reached.
    Converged,
    /// It is not, within the allowed number of iterations.
    Iterations,
    /// A scalar product is not positive or not finite: the matrix or the preconditioner is not positive
    /// definite, numbers are not finite, or the residual is as small as it gets with these numbers.
    Breakdown,
}

/// Report of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgReport {
    /// The outcome.
    pub outcome: CgOutcome,
    /// The number of iterations.
    pub iterations: u32,
    /// The length of the residual that the iterations carry along, relative to that of the right-hand side.
    pub residual: f64,
    /// The length of `b - A x`, computed anew at the end, relative to that of the right-hand side.
    pub true_residual: f64,
}

/// Multigrid, and its result for the residual.
type Levels<E> = (Multigrid<<E as crate::Entry>::Real>, Vector<<E as crate::Entry>::Element>);

/// Conjugate gradients for a matrix that is symmetric (Hermitian: equal to its adjoint) and positive definite
/// (Hestenes and Stiefel 1952), over any layout.
///
/// Scalar products are over all real numbers of the vectors, in `f64`, and stay on the device. Holds four
/// vectors, and the inverse of the diagonal.
pub struct ConjugateGradients<'m, E: Launched> {
    matrix: &'m SparseMatrix<E>,
    options: CgOptions,
    inverse: Option<Buffer<E>>,
    multigrid: Option<Levels<E>>,
    /// The preconditioned residual, if there is a preconditioner.
    z: Vector<E::Element>,
    solver: linear::ConjugateGradients<Vector<E::Element>>,
}

impl<'m, E: Launched> ConjugateGradients<'m, E> {
    /// A solver for a matrix.
    /// # Errors
    /// [`SparseError::Length`] unless the matrix is square; [`SparseError::Diagonal`] names the first row
    /// whose diagonal has no inverse, or is not positive with multigrid; [`SparseError::NotReal`] for
    /// multigrid with other entries than real numbers; [`SparseError::Option`]; out of memory; errors of the
    /// driver.
    pub fn new(matrix: &'m SparseMatrix<E>, options: CgOptions) -> Result<Self> {
        let tolerance = options.tolerance;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            let expected = "a number above 0";
            return Err(SparseError::Option { option: "tolerance", value: tolerance, expected });
        }
        if options.look == 0 {
            return Err(SparseError::Option { option: "look", value: 0.0, expected: "at least 1" });
        }
        length("columns of a square matrix", matrix.rows(), matrix.columns())?;
        let device = matrix.device();
        let inverse = match options.preconditioner {
            Preconditioner::None | Preconditioner::Multigrid => None,
            Preconditioner::Jacobi => {
                let mut diagonal = matrix.diagonal()?;
                for (row, entry) in diagonal.iter_mut().enumerate() {
                    *entry = crate::Entry::inverse(*entry).ok_or(SparseError::Diagonal { row })?;
                }
                Some(device.upload(&diagonal)?)
            }
        };
        let multigrid = match options.preconditioner {
            Preconditioner::Multigrid => {
                let levels = Multigrid::new(matrix.to_rows()?, Modes::Constant, None, 1, options.multigrid)?;
                Some((levels, matrix.range()?))
            }
            _ => None,
        };
        let z = match inverse {
            Some(_) => matrix.range()?,
            None => Vector::zeros(device, 0, matrix.variant().layout.vector)?,
        };
        let solver = linear::ConjugateGradients::new(device, 0, || matrix.range())?;
        Ok(Self { matrix, options, inverse, multigrid, z, solver })
    }
    /// The levels of multigrid, if that is the preconditioner.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.multigrid.as_ref().map(|(levels, _)| levels.hierarchy())
    }
    /// Solves `A x = b`, from the `x` that is given. Four launches per iteration; waits whenever it looks at
    /// the outcome.
    ///
    /// If `b` is 0, so is the result.
    /// # Errors
    /// [`SparseError::Length`] or [`SparseError::Variant`] for a vector of another length or layout; errors
    /// of kernels or of the driver. A system that is not solved is not an error: see [`CgReport::outcome`].
    pub fn solve(&mut self, b: &Vector<E::Element>, x: &mut Vector<E::Element>) -> Result<CgReport> {
        let r = &self.solver.vectors().r;
        b.check_like(r, "the right-hand side")?;
        x.check_like(r, "the solution")?;
        let mut report =
            CgReport { outcome: CgOutcome::Converged, iterations: 0, residual: 0.0, true_residual: 0.0 };
        if b.is_empty() {
            return Ok(report);
        }
        let (matrix, tolerance) = (self.matrix, self.options.tolerance);
        self.solver.begin(tolerance, |_, run| run.refer(b))?;
        let of_b = self.solver.look()?.reference;
        if of_b == 0.0 {
            x.clear()?;
            return Ok(report);
        }
        let mut system = System { matrix, inverse: self.inverse.as_ref(), z: &mut self.z };
        self.solver.begin(tolerance, |with, run| {
            subtract(matrix, b, x, &mut with.r)?;
            system.update(with, x, run, true)
        })?;
        let look = self.options.look as usize;
        let look = if self.multigrid.is_some() { (look / 8).max(1) } else { look };
        let limits = Limits { iterations: self.options.iterations as usize, look };
        let progress = match &mut self.multigrid {
            Some((multigrid, z)) => {
                let mut cycle = Cycle { multigrid, z };
                self.solver.finish(&mut system, Some(&mut cycle), x, &limits)?
            }
            None => self.solver.finish(&mut system, None, x, &limits)?,
        };
        let r = &mut self.solver.vectors().r;
        subtract(matrix, b, x, r)?;
        report.true_residual = (r.dot(r)? / of_b).sqrt();
        report.residual = progress.residual();
        report.iterations = progress.iterations as u32;
        report.outcome = match progress.outcome {
            Outcome::Converged => CgOutcome::Converged,
            Outcome::Broken => CgOutcome::Breakdown,
            Outcome::Running => CgOutcome::Iterations,
        };
        Ok(report)
    }
}
/// r = b - A x.
fn subtract<E: Launched>(
    matrix: &SparseMatrix<E>,
    b: &Vector<E::Element>,
    x: &Vector<E::Element>,
    r: &mut Vector<E::Element>,
) -> Result<()> {
    let one = E::Real::ONE;
    r.axpby(one, b, E::Real::ZERO)?;
    matrix.multiply_scaled(-one, x, one, r)
}

/// A matrix and its preconditioner.
struct System<'a, E: Launched> {
    matrix: &'a SparseMatrix<E>,
    inverse: Option<&'a Buffer<E>>,
    z: &'a mut Vector<E::Element>,
}
impl<E: Launched> System<'_, E> {
    fn update(
        &mut self,
        with: &mut Vectors<Vector<E::Element>>,
        x: &mut Vector<E::Element>,
        run: &mut Run,
        first: bool,
    ) -> Result<()> {
        let iterate = IterateArguments {
            n: with.r.len() as u32,
            first: first.into(),
            inverse: self.inverse.map_or(BufferView::empty(), Buffer::view),
            p: with.p.read(),
            q: with.q.read(),
            x: x.written(),
            r: with.r.written(),
            z: self.z.written(),
        };
        // SAFETY: all vectors, and the inverse if there is one, have an element for each row.
        unsafe { E::update(self.matrix.device(), iterate, run.scalars())? };
        Ok(())
    }
}
impl<E: Launched> Operator for System<'_, E> {
    type Vector = Vector<E::Element>;
    type Error = SparseError;
    fn direct(
        &mut self,
        r: &Vector<E::Element>,
        p: &mut Vector<E::Element>,
        q: &mut Vector<E::Element>,
        run: &mut Run,
    ) -> Result<()> {
        run.turn(if self.inverse.is_some() { self.z } else { r }, p)?;
        self.matrix.multiply(p, q)?;
        Ok(run.step(p, q)?)
    }
    fn advance(
        &mut self,
        with: &mut Vectors<Vector<E::Element>>,
        x: &mut Vector<E::Element>,
        run: &mut Run,
    ) -> Result<()> {
        self.update(with, x, run, false)
    }
}
impl<E: Launched> std::fmt::Debug for ConjugateGradients<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConjugateGradients of {:?}, {:?}", self.matrix, self.options)
    }
}
