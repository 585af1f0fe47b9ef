//! Conjugate gradients.
use super::error::{Result, SparseError, length};
use super::numbers::Numbers;
use super::vector::Vector;
use super::{Launched, SparseMatrix};
use crate::Real;
use crate::device::solve::{
    BROKEN, CONVERGED, ITERATIONS, IterateArguments, OUTCOME, RR, RUNNING, STATE, ScalarsArguments, TARGET,
};
use ribbonmesh::Buffer;
use ribbonmesh::device::{BufferView, tiles};

/// What conjugate gradients are preconditioned with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preconditioner {
    /// Nothing.
    None,
    /// The inverse of the diagonal; for blocks block-Jacobi.
    #[default]
    Jacobi,
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
    /// Iterations between two looks of the host at the outcome; at least 1.
    pub look: u32,
}
impl Default for CgOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, iterations: 10_000, preconditioner: Preconditioner::Jacobi, look: 16 }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgOutcome {
    /// The tolerance is reached.
    Converged,
    /// It is not, within the allowed number of iterations.
    Iterations,
    /// A scalar product is not positive or not finite: the matrix or the preconditioner is not positive definite, numbers are
    /// not finite, or the residual is as small as it gets with these numbers.
    Breakdown,
}

/// What a solve came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgReport {
    /// How it ended.
    pub outcome: CgOutcome,
    /// The number of iterations.
    pub iterations: u32,
    /// The length of the residual that the iterations carry along, relative to that of the right-hand side.
    pub residual: f64,
    /// The length of `b - A x`, computed anew at the end, relative to that of the right-hand side.
    pub true_residual: f64,
}

/// Conjugate gradients for a matrix that is symmetric (Hermitian: equal to its adjoint) and positive definite (Hestenes and
/// Stiefel 1952), over any layout.
///
/// Scalar products are those of all real numbers of the vectors, in `f64`, and stay on the device. Holds four vectors, and the
/// inverse of the diagonal.
pub struct ConjugateGradients<'m, E: Launched> {
    matrix: &'m SparseMatrix<E>,
    options: CgOptions,
    inverse: Option<Buffer<E>>,
    r: Vector<E::Element>,
    z: Vector<E::Element>,
    p: Vector<E::Element>,
    q: Vector<E::Element>,
    state: Buffer<f64>,
    partials: Buffer<[f64; 2]>,
    finished: Buffer<u32>,
}
macro_rules! scalars {
    ($self:ident) => {
        ScalarsArguments {
            state: $self.state.view_mut(),
            partials: $self.partials.view_mut(),
            finished: $self.finished.view_mut(),
        }
    };
}

impl<'m, E: Launched> ConjugateGradients<'m, E> {
    /// A solver for a matrix.
    /// # Errors
    /// [`SparseError::Length`] unless the matrix is square; [`SparseError::Diagonal`] names the first row whose diagonal has no
    /// inverse; [`SparseError::Option`]; out of memory; errors of the driver.
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
            Preconditioner::None => None,
            Preconditioner::Jacobi => {
                let mut diagonal = matrix.diagonal()?;
                for (row, entry) in diagonal.iter_mut().enumerate() {
                    *entry = crate::Entry::inverse(*entry).ok_or(SparseError::Diagonal { row })?;
                }
                Some(device.upload(&diagonal)?)
            }
        };
        let r = matrix.range()?;
        let z = match inverse {
            Some(_) => matrix.range()?,
            None => Vector::zeros(device, 0, r.layout())?,
        };
        let blocks = tiles(r.numbers()).max(1) as usize;
        Ok(Self {
            matrix,
            options,
            inverse,
            z,
            p: matrix.range()?,
            q: matrix.range()?,
            r,
            state: device.zeros(STATE)?,
            partials: device.zeros(blocks)?,
            finished: device.zeros(1)?,
        })
    }
    /// Solves `A x = b`, from the `x` that is given. Four launches per iteration; waits whenever it looks at the outcome.
    ///
    /// If `b` is 0, so is the result.
    /// # Errors
    /// [`SparseError::Length`] or [`SparseError::Variant`] for a vector of another length or layout; errors of kernels or of the driver.
    /// A system that is not solved is no error: [`CgReport::outcome`].
    pub fn solve(&mut self, b: &Vector<E::Element>, x: &mut Vector<E::Element>) -> Result<CgReport> {
        b.check_like(&self.r, "the right-hand side")?;
        x.check_like(&self.r, "the solution")?;
        let mut report =
            CgReport { outcome: CgOutcome::Converged, iterations: 0, residual: 0.0, true_residual: 0.0 };
        if b.is_empty() {
            return Ok(report);
        }
        let (device, n) = (self.matrix.device().clone(), b.numbers());
        let (one, tolerance) = (E::Real::ONE, self.options.tolerance);
        self.state.clear()?;
        E::Real::dot(&device, n, tolerance * tolerance, [b.view(); 2], TARGET, scalars!(self))?;
        if self.state.read()?[TARGET as usize] == 0.0 {
            x.clear()?;
            return Ok(report);
        }
        self.r.axpby(one, b, E::Real::ZERO)?;
        self.matrix.multiply_scaled(-one, x, one, &mut self.r)?;
        self.update(x, true)?;
        let mut done = 0;
        let mut state = self.state.read()?;
        while state[OUTCOME as usize] == RUNNING && done < self.options.iterations {
            for _ in 0..self.options.look.min(self.options.iterations - done) {
                let z = if self.inverse.is_some() { &self.z } else { &self.r };
                E::Real::direction(&device, n, self.state.view(), z.view(), self.p.view_mut())?;
                self.matrix.multiply(&self.p, &mut self.q)?;
                E::Real::step(&device, n, self.p.view(), self.q.view(), scalars!(self))?;
                self.update(x, false)?;
                done += 1;
            }
            state = self.state.read()?;
        }
        // b·b is the target without the tolerance
        let of_b = state[TARGET as usize] / (tolerance * tolerance);
        self.r.axpby(one, b, E::Real::ZERO)?;
        self.matrix.multiply_scaled(-one, x, one, &mut self.r)?;
        report.true_residual = (self.r.dot(&self.r)? / of_b).sqrt();
        report.residual = (state[RR as usize] / of_b).sqrt();
        report.iterations = state[ITERATIONS as usize] as u32;
        let outcome = state[OUTCOME as usize];
        report.outcome = if outcome == CONVERGED {
            CgOutcome::Converged
        } else if outcome == BROKEN {
            CgOutcome::Breakdown
        } else {
            CgOutcome::Iterations
        };
        Ok(report)
    }
    fn update(&mut self, x: &mut Vector<E::Element>, first: bool) -> Result<()> {
        let iterate = IterateArguments {
            n: self.r.len() as u32,
            first: first.into(),
            inverse: self.inverse.as_ref().map_or(BufferView::empty(), Buffer::view),
            p: self.p.read(),
            q: self.q.read(),
            x: x.written(),
            r: self.r.written(),
            z: self.z.written(),
        };
        // SAFETY: all vectors, and the inverse if there is one, have an element for each row.
        unsafe { E::update(self.matrix.device(), iterate, scalars!(self))? };
        Ok(())
    }
}
impl<E: Launched> std::fmt::Debug for ConjugateGradients<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConjugateGradients of {:?}, {:?}", self.matrix, self.options)
    }
}
