//! Solution by conjugate gradients.
use super::error::{FemError, Result};
use super::matrix::{Matrix, Storage};
use super::multigrid::Multigrid;
use super::space::length;
use crate::device::matrix::{BIN, ROWS};
use crate::device::solve::{
    Advance, AdvanceApart, BROKEN, Begin, BeginApart, CONVERGED, ITERATIONS, OUTCOME, Product, REFERENCE, RR,
    RUNNING, STATE, ScalarsArguments, Turn, TurnApart, Weigh, inverse_numbers,
};
use ribbonmesh::Buffer;
use ribbonmesh::device::NONE;

/// When a solution ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveOptions {
    /// The residual at the end by that at the beginning, both as lengths over all free unknowns.
    pub tolerance: f64,
    /// Iterations at most.
    pub max_iterations: usize,
    /// Iterations between two looks of the host at the state, each of which waits; with multigrid an eighth of them.
    pub check_every: usize,
}
impl Default for SolveOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 20_000, check_every: 16 }
    }
}
/// How a solution ended.
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
    /// Multigrid, and what it has made of the residual.
    Multigrid(Box<Multigrid>, Buffer<f64>),
}

/// Conjugate gradients for a symmetric matrix that is positive definite on the free unknowns, with inverted blocks of the diagonal as preconditioner
/// (block Jacobi), or with [`Multigrid`]. Vectors and sums are in double precision; the inverted blocks in single precision.
///
/// With blocks an iteration is three launches, which read the matrix once and eleven vectors. With blocks
/// the number of iterations grows with the number of cells along the body, with multigrid hardly. Sums are in a fixed order: the same bits every time.
pub struct ConjugateGradients<'a, S: Storage> {
    matrix: &'a Matrix<S>,
    fixed: &'a Buffer<u32>,
    preconditioner: Preconditioner,
    r: Buffer<f64>,
    p: Buffer<f64>,
    q: Buffer<f64>,
    state: Buffer<f64>,
    partials: Buffer<f64>,
    finished: Buffer<u32>,
}
impl<'a, S: Storage> ConjugateGradients<'a, S> {
    /// Inverts the diagonal; waits. Bit `k` of a node's word in `fixed` says that unknown `k` keeps the value that it has at the beginning.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`FemError::NotPositive`]; [`FemError::OtherPattern`] for blocks of other sizes than 1 and 3; out of memory;
    /// errors of the driver.
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
        let device = matrix.device();
        let vector = || device.zeros::<f64>(matrix.unknowns());
        let blocks = matrix.pattern().rows().div_ceil(ROWS as usize);
        let (state, partials, finished) = (device.zeros(STATE)?, device.zeros(2 * blocks)?, device.zeros(1)?);
        Ok(Self {
            matrix,
            fixed,
            preconditioner,
            r: vector()?,
            p: vector()?,
            q: vector()?,
            state,
            partials,
            finished,
        })
    }
    /// Solves A x = b where unknowns are free. `x` begins with the values of fixed unknowns and a guess of the others, and becomes the solution.
    ///
    /// The residual is that of the iteration; [`ConjugateGradients::reactions`] computes what is left anew.
    /// # Errors
    /// [`FemError::Breakdown`]; [`ribbonmesh::Error::Length`]; errors of the driver. That the tolerance is not reached in the given number of iterations is
    /// no error: the report says so.
    pub fn solve(
        &mut self,
        b: &Buffer<f64>,
        x: &mut Buffer<f64>,
        options: &SolveOptions,
    ) -> Result<SolveReport> {
        let (n, size) = (self.matrix.pattern().rows() as u32, self.matrix.size());
        length("numbers of the right-hand side", self.matrix.unknowns(), b.len())?;
        self.matrix.multiply(x, &mut self.q)?;
        let (device, blocks) = (self.matrix.device(), n.div_ceil(ROWS));
        let tolerance2 = options.tolerance * options.tolerance;
        macro_rules! scalars {
            () => {
                ScalarsArguments {
                    state: self.state.view_mut(),
                    partials: self.partials.view_mut(),
                    finished: self.finished.view_mut(),
                    tolerance2,
                }
            };
        }
        let fixed = self.fixed.view();
        let (y, r, p) = (self.q.view(), self.r.view_mut(), self.p.view_mut());
        match &self.preconditioner {
            Preconditioner::Blocks(inverse) => {
                let (scalars, inverse) = (scalars!(), inverse.view());
                device.launch(blocks, Begin { n, size, scalars, fixed, inverse, b: b.view(), y, r, p })?;
            }
            Preconditioner::Multigrid(..) => {
                let scalars = scalars!();
                device.launch(blocks, BeginApart { n, size, scalars, fixed, b: b.view(), y, r, p })?;
            }
        }
        let mut done = 0;
        loop {
            let state = self.state.read()?;
            let at = |i: u32| state[i as usize];
            if at(OUTCOME) == BROKEN {
                return Err(FemError::Breakdown { iteration: at(ITERATIONS) as usize });
            }
            if at(OUTCOME) != RUNNING || done >= options.max_iterations {
                let residual = if at(REFERENCE) > 0.0 { (at(RR) / at(REFERENCE)).sqrt() } else { 0.0 };
                let (iterations, converged) = (at(ITERATIONS) as usize, at(OUTCOME) == CONVERGED);
                return Ok(SolveReport { iterations, residual, converged });
            }
            // a cycle takes many launches, all of them for nothing once the tolerance is reached
            let ahead = match &self.preconditioner {
                Preconditioner::Blocks(_) => options.check_every,
                Preconditioner::Multigrid(..) => options.check_every / 8,
            };
            for _ in 0..ahead.max(1).min(options.max_iterations - done) {
                match &mut self.preconditioner {
                    Preconditioner::Blocks(inverse) => {
                        let inverse = inverse.view();
                        S::direction(self.matrix, scalars!(), fixed, self.p.view(), self.q.view_mut())?;
                        let (p, q) = (self.p.view(), self.q.view());
                        let (scalars, x, r) = (scalars!(), x.view_mut(), self.r.view_mut());
                        device.launch(blocks, Advance { n, size, scalars, inverse, p, q, x, r })?;
                        let (state, r, p) = (self.state.view(), self.r.view(), self.p.view_mut());
                        device.launch(blocks, Turn { n, size, state, inverse, r, p })?;
                    }
                    Preconditioner::Multigrid(multigrid, z) => {
                        multigrid.apply(self.matrix, &self.r, z)?;
                        let (r, z) = (self.r.view(), z.view());
                        device.launch(blocks, Weigh { n, size, scalars: scalars!(), r, z })?;
                        let (state, p) = (self.state.view(), self.p.view_mut());
                        device.launch(blocks, TurnApart { n, size, state, z, p })?;
                        S::direction(self.matrix, scalars!(), fixed, self.p.view(), self.q.view_mut())?;
                        let (p, q) = (self.p.view(), self.q.view());
                        let (scalars, x, r) = (scalars!(), x.view_mut(), self.r.view_mut());
                        device.launch(blocks, AdvanceApart { n, size, scalars, p, q, x, r })?;
                    }
                }
                done += 1;
            }
        }
    }
    /// A x - b: at fixed unknowns the forces that hold them, elsewhere what is left; waits for nothing. One product and a pass on the host.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; errors of the driver.
    pub fn reactions(&mut self, b: &Buffer<f64>, x: &Buffer<f64>) -> Result<Vec<f64>> {
        length("numbers of the right-hand side", self.matrix.unknowns(), b.len())?;
        self.matrix.multiply(x, &mut self.q)?;
        let (y, b) = (self.q.read()?, b.read()?);
        Ok(y.iter().zip(&b).map(|(y, b)| y - b).collect())
    }
    /// a · b, in double precision and a fixed order; waits.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; errors of the driver.
    pub fn dot(&mut self, a: &Buffer<f64>, b: &Buffer<f64>) -> Result<f64> {
        let (n, size) = (self.matrix.pattern().rows() as u32, self.matrix.size());
        length("numbers of a vector", self.matrix.unknowns(), a.len())?;
        length("numbers of a vector", self.matrix.unknowns(), b.len())?;
        let mut to = self.matrix.device().zeros::<f64>(1)?;
        let scalars = ScalarsArguments {
            state: to.view_mut(),
            partials: self.partials.view_mut(),
            finished: self.finished.view_mut(),
            tolerance2: 0.0,
        };
        self.matrix
            .device()
            .launch(n.div_ceil(ROWS), Product { n, size, scalars, a: a.view(), b: b.view() })?;
        Ok(to.read()?[0])
    }
}
impl<S: Storage> std::fmt::Debug for ConjugateGradients<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConjugateGradients of {:?}", self.matrix)
    }
}
