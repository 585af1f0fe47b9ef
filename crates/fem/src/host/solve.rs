//! Solution by conjugate gradients.
use super::error::{FemError, Result};
use super::matrix::{Matrix, Storage};
use super::multigrid::Multigrid;
use super::space::length;
use crate::device::matrix::{BIN, ROWS};
use crate::device::solve::{Advance, Begin, Turn, inverse_numbers};
use ribbonmesh::Buffer;
use ribbonmesh::device::{BufferView, NONE};
use ribbonmesh_linear as linear;
use ribbonmesh_linear::{Limits, Operator, Outcome, Run, Vectors};

/// The conditions under which a solution ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveOptions {
    /// The residual at the end by that at the beginning, both as lengths over all free unknowns.
    pub tolerance: f64,
    /// Iterations at most.
    pub max_iterations: usize,
    /// Iterations between two looks of the host at the state, each of which waits; with multigrid an eighth
    /// of them.
    pub check_every: usize,
}
impl Default for SolveOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 20_000, check_every: 16 }
    }
}
/// The outcome of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// Iterations done.
    pub iterations: usize,
    /// The residual by the first one.
    pub residual: f64,
    /// Whether the tolerance is reached.
    pub converged: bool,
}

enum Preconditioner {
    /// Inverted blocks of the diagonal.
    Blocks(Buffer<f32>),
    /// Multigrid, and its result for the residual.
    Multigrid(Box<Multigrid>, Buffer<f64>),
}

/// Conjugate gradients for a symmetric matrix that is positive definite on the free unknowns, with inverted
/// blocks of the diagonal as preconditioner (block Jacobi), or with [`Multigrid`]. Vectors and sums are in
/// double precision; the inverted blocks in single precision.
///
/// With blocks an iteration is three launches, which read the matrix once and eleven vectors. With blocks the
/// number of iterations grows with the number of cells along the body, with multigrid hardly. Sums are in a
/// fixed order: the same bits every time.
pub struct ConjugateGradients<'a, S: Storage> {
    matrix: &'a Matrix<S>,
    fixed: &'a Buffer<u32>,
    preconditioner: Preconditioner,
    solver: linear::ConjugateGradients<Buffer<f64>>,
}
impl<'a, S: Storage> ConjugateGradients<'a, S> {
    /// Inverts the diagonal; waits. Bit `k` of a node's word in `fixed` says that unknown `k` keeps the value
    /// that it has at the beginning.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`FemError::NotPositive`]; [`FemError::OtherPattern`] for blocks of
    /// other sizes than 1 and 3; out of memory; errors of the driver.
    pub fn new(matrix: &'a Matrix<S>, fixed: &'a Buffer<u32>) -> Result<Self> {
        let (device, rows) = (matrix.device(), matrix.pattern().rows());
        length("words of fixed unknowns", rows, fixed.len())?;
        let numbers = inverse_numbers(matrix.size()) as usize * rows.next_multiple_of(BIN as usize);
        let (mut inverse, mut wrong) = (device.zeros::<f32>(numbers)?, device.upload(&[NONE])?);
        S::invert(matrix, fixed.view(), inverse.view_mut(), wrong.view_mut())?;
        let wrong = wrong.read()?[0];
        if wrong != NONE {
            return Err(FemError::NotPositive { node: wrong as usize });
        }
        Self::with(matrix, fixed, Preconditioner::Blocks(inverse))
    }
    /// The same with multigrid, which was made for the same matrix and the same fixed unknowns.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
    pub fn with_multigrid(
        matrix: &'a Matrix<S>,
        fixed: &'a Buffer<u32>,
        multigrid: Multigrid,
    ) -> Result<Self> {
        length("words of fixed unknowns", matrix.pattern().rows(), fixed.len())?;
        length("nodes of the preconditioner", matrix.pattern().rows(), multigrid.nodes()[0])?;
        let z = matrix.device().zeros::<f64>(matrix.unknowns())?;
        Self::with(matrix, fixed, Preconditioner::Multigrid(Box::new(multigrid), z))
    }
    fn with(matrix: &'a Matrix<S>, fixed: &'a Buffer<u32>, preconditioner: Preconditioner) -> Result<Self> {
        let vector = || Ok(matrix.device().zeros::<f64>(matrix.unknowns())?);
        let blocks = matrix.pattern().rows().div_ceil(ROWS as usize) as u32;
        let solver = linear::ConjugateGradients::new::<FemError>(matrix.device(), blocks, vector)?;
        Ok(Self { matrix, fixed, preconditioner, solver })
    }
    /// Solves A x = b where unknowns are free. `x` begins with the values of fixed unknowns and a guess of
    /// the others, and becomes the solution.
    ///
    /// The residual is the iteration's; [`ConjugateGradients::reactions`] computes it anew.
    /// # Errors
    /// [`FemError::Breakdown`]; [`ribbonmesh::Error::Length`]; errors of the driver. That the tolerance is
    /// not reached in the given number of iterations is no error: the report says so.
    pub fn solve(
        &mut self,
        b: &Buffer<f64>,
        x: &mut Buffer<f64>,
        options: &SolveOptions,
    ) -> Result<SolveReport> {
        let (matrix, fixed) = (self.matrix, self.fixed.view());
        let (n, size) = (matrix.pattern().rows() as u32, matrix.size());
        length("numbers of the right-hand side", matrix.unknowns(), b.len())?;
        let inverse = match &self.preconditioner {
            Preconditioner::Blocks(inverse) => inverse.view(),
            Preconditioner::Multigrid(..) => BufferView::empty(),
        };
        self.solver.begin(options.tolerance, |to, run| {
            matrix.multiply(x, &mut to.q)?;
            let device = run.device().clone();
            let (scalars, y, r) = (run.scalars(), to.q.view(), to.r.view_mut());
            let kernel = Begin { n, size, scalars, fixed, inverse, b: b.view(), y, r };
            Ok::<_, FemError>(device.launch(n.div_ceil(ROWS), kernel)?)
        })?;
        let (iterations, look) = (options.max_iterations, options.check_every);
        let progress = match &mut self.preconditioner {
            Preconditioner::Blocks(inverse) => {
                let mut system = System { matrix, fixed, inverse: Some(inverse) };
                self.solver.finish(&mut system, None, x, &Limits { iterations, look })?
            }
            Preconditioner::Multigrid(multigrid, z) => {
                let mut system = System { matrix, fixed, inverse: None };
                let mut cycle = Cycle { multigrid, z };
                // a cycle takes many launches, all of them for nothing once the tolerance is reached
                let limits = Limits { iterations, look: look / 8 };
                self.solver.finish(&mut system, Some(&mut cycle), x, &limits)?
            }
        };
        let (iterations, residual) = (progress.iterations, progress.residual());
        match progress.outcome {
            Outcome::Broken => Err(FemError::Breakdown { iteration: iterations }),
            outcome => Ok(SolveReport { iterations, residual, converged: outcome == Outcome::Converged }),
        }
    }
    /// A x - b: at fixed unknowns the forces that hold them, elsewhere the residual; waits for nothing. One
    /// product and a pass on the host.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; errors of the driver.
    pub fn reactions(&mut self, b: &Buffer<f64>, x: &Buffer<f64>) -> Result<Vec<f64>> {
        length("numbers of the right-hand side", self.matrix.unknowns(), b.len())?;
        let y = &mut self.solver.vectors().q;
        self.matrix.multiply(x, y)?;
        let (y, b) = (y.read()?, b.read()?);
        Ok(y.iter().zip(&b).map(|(y, b)| y - b).collect())
    }
    /// a · b, in double precision and a fixed order; waits.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; errors of the driver.
    pub fn dot(&mut self, a: &Buffer<f64>, b: &Buffer<f64>) -> Result<f64> {
        length("numbers of a vector", self.matrix.unknowns(), a.len())?;
        length("numbers of a vector", self.matrix.unknowns(), b.len())?;
        Ok(linear::dot(self.matrix.device(), a, b)?)
    }
}

/// A matrix where unknowns are free.
struct System<'a, S: Storage> {
    matrix: &'a Matrix<S>,
    fixed: BufferView<'a, u32>,
    /// The preconditioner, if it is inverted blocks.
    inverse: Option<&'a Buffer<f32>>,
}
impl<S: Storage> System<'_, S> {
    /// Rows, unknowns of a row, blocks for rows.
    fn shape(&self) -> (u32, u32, u32) {
        let n = self.matrix.pattern().rows() as u32;
        (n, self.matrix.size(), n.div_ceil(ROWS))
    }
}
impl<S: Storage> Operator for System<'_, S> {
    type Vector = Buffer<f64>;
    type Error = FemError;
    fn direct(
        &mut self,
        z: &Buffer<f64>,
        p: &mut Buffer<f64>,
        q: &mut Buffer<f64>,
        run: &mut Run,
    ) -> Result<()> {
        match self.inverse {
            Some(inverse) => {
                let (n, size, blocks) = self.shape();
                let (state, inverse, r) = (run.state(), inverse.view(), z.view());
                run.device().launch(blocks, Turn { n, size, state, inverse, r, p: p.view_mut() })?;
            }
            None => run.turn(z, p)?,
        }
        S::direction(self.matrix, run.scalars(), self.fixed, p.view(), q.view_mut())
    }
    fn advance(&mut self, with: &mut Vectors<Buffer<f64>>, x: &mut Buffer<f64>, run: &mut Run) -> Result<()> {
        let Some(inverse) = self.inverse else {
            return Ok(run.advance(with, x)?);
        };
        let (device, (n, size, blocks), inverse) = (run.device().clone(), self.shape(), inverse.view());
        let (p, q, x, r) = (with.p.view(), with.q.view(), x.view_mut(), with.r.view_mut());
        Ok(device.launch(blocks, Advance { n, size, scalars: run.scalars(), inverse, p, q, x, r })?)
    }
}

/// A cycle of multigrid, and its result for the residual.
struct Cycle<'a> {
    multigrid: &'a mut Multigrid,
    z: &'a mut Buffer<f64>,
}
impl linear::Preconditioner<Buffer<f64>, FemError> for Cycle<'_> {
    fn apply(&mut self, state: BufferView<'_, f64>, r: &Buffer<f64>) -> Result<&Buffer<f64>> {
        self.multigrid.apply(state, r, self.z)?;
        Ok(self.z)
    }
}
impl<S: Storage> std::fmt::Debug for ConjugateGradients<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConjugateGradients of {:?}", self.matrix)
    }
}
