//! Multigrid by smoothed aggregation as a preconditioner.
//!
//! Vaněk, Mandel and Brezina, *Algebraic multigrid by smoothed aggregation for second and fourth order
//! elliptic problems* (1996). The coarser levels come from the matrix: nodes that depend on each other are
//! aggregates, whose unknowns are the motions that cost no energy. Above them, a space of order 2 or 3 has
//! that of order 1 as its coarser level.
mod aggregates;
mod blocks;
mod coarsest;
mod level;
mod prolongation;
mod spectrum;

use super::error::Result;
use super::matrix::{Matrix, Storage};
use super::space::{Space, length};
use blocks::Blocks;
use level::{Chebyshev, Level, OnDevice};
use ribbonmesh::Buffer;

/// Parameters of [`Multigrid`]. The defaults suit elasticity and heat flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultigridOptions {
    /// Steps of Chebyshev's iteration before and after each correction, at least 1.
    pub sweeps: u32,
    /// Nodes are neighbours for aggregates if the length of their block is more than this by the geometric
    /// mean of both diagonal blocks' lengths.
    pub strength: f64,
    /// Most nodes of the coarsest level, which is solved by an inverse matrix.
    pub coarsest: usize,
}
impl Default for MultigridOptions {
    fn default() -> Self {
        Self { sweeps: 2, strength: 0.02, coarsest: 100 }
    }
}

/// A preconditioner of [`super::solve::ConjugateGradients`]: the number of iterations hardly depends on the
/// number of nodes. For matrices of elasticity (blocks of 3 × 3 numbers) and of one unknown per node.
///
/// Made on the host, in parallel, and applied on the device (decision 49). Coarser levels are kept in
/// single precision, or as the sum of two such matrices where stiffness differs by orders of magnitude,
/// vectors in double precision. No sum depends on the order of threads.
pub struct Multigrid {
    /// From the finest one; the coarsest is apart.
    levels: Vec<Level>,
    coarsest: OnDevice,
    /// Right-hand sides and corrections of all levels but the finest.
    b: Vec<Buffer<f64>>,
    x: Vec<Buffer<f64>>,
    nodes: Vec<usize>,
    bytes: usize,
}
impl Multigrid {
    /// Makes the levels for a matrix on a space. Bit `k` of a node's word in `fixed` says that unknown `k` is
    /// fixed. Copies the matrix to the host.
    ///
    /// A matrix of 3 × 3 blocks is taken as one of elasticity: rigid motions cost no energy. For one of
    /// single numbers constants do not.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`super::error::FemError::OtherPattern`] for blocks of other sizes than
    /// 1 and 3; [`super::error::FemError::NotPositive`]; out of memory; errors of the driver.
    pub fn new<S: Storage>(
        matrix: &Matrix<S>,
        space: &Space<'_>,
        fixed: &Buffer<u32>,
        options: &MultigridOptions,
    ) -> Result<Self> {
        let (device, size) = (matrix.device(), matrix.size() as usize);
        length("rows of the matrix", space.nodes(), matrix.pattern().rows())?;
        length("words of fixed unknowns", space.nodes(), fixed.len())?;
        if size != 1 && size != 3 {
            return Err(super::error::FemError::OtherPattern);
        }
        let mut words = fixed.read()?;
        let mut a = Blocks::of(matrix, &words)?;
        let supports = space.supports()?;
        let mut motions = prolongation::motions(size, &space.points_of(&supports)?, &words);
        let (mut levels, mut nodes) = (vec![], vec![a.rows()]);
        let mut order = space.shape().order();
        let coarsest = loop {
            if a.rows() <= options.coarsest {
                break coarsest::inverse(&a, &words);
            }
            let inverse = a.inverted_diagonal(&words, !levels.is_empty())?;
            let greatest = spectrum::greatest_eigenvalue(&a, &inverse);
            let up = if order > 1 {
                motions.truncate(space.vertices());
                let up = prolongation::of_order(size, &supports, order, space.vertices(), &words);
                order = 1;
                up
            } else {
                let own = aggregates::of(&a, &words, options.strength);
                if own.count == 0 || 10 * own.count > 9 * a.rows() {
                    // nodes depend on nothing else
                    break coarsest::diagonal(&a, &inverse);
                }
                let (first, next) = prolongation::tentative(&own, a.height(), &motions);
                motions = next;
                prolongation::smoothed(&a, &first, &inverse, greatest)
            };
            let down = up.transposed();
            let mut coarse = down.times(&a.times(&up));
            words = coarse.settle_unused();
            let chebyshev = Chebyshev { greatest, sweeps: options.sweeps.max(1) };
            levels.push(Level::new(device, levels.is_empty(), &a, &inverse, chebyshev, &up, &down)?);
            nodes.push(coarse.rows());
            a = coarse;
        };
        let coarsest = OnDevice::definite(device, &coarsest)?;
        let vector = |n: usize| device.zeros::<f64>(n.max(1));
        let numbers: Vec<usize> = levels.iter().map(Level::coarse_numbers).collect();
        let b = numbers.iter().map(|&n| vector(n)).collect::<ribbonmesh::Result<Vec<_>>>()?;
        let x = numbers.iter().map(|&n| vector(n)).collect::<ribbonmesh::Result<Vec<_>>>()?;
        let bytes = levels.iter().map(Level::bytes).sum::<usize>()
            + coarsest.bytes()
            + b.iter().chain(&x).map(Buffer::bytes).sum::<usize>();
        Ok(Self { levels, coarsest, b, x, nodes, bytes })
    }
    /// Nodes of each level, from the finest.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
    /// z = M r: one cycle from zero.
    pub(crate) fn apply<S: Storage>(
        &mut self,
        matrix: &Matrix<S>,
        r: &Buffer<f64>,
        z: &mut Buffer<f64>,
    ) -> Result<()> {
        let n = self.levels.len();
        if n == 0 {
            return self.coarsest.multiply(r, z, false);
        }
        for i in 0..n {
            let (b, below) = self.b.split_at_mut(i);
            let (own, x) = if i == 0 { (r, &mut *z) } else { (&b[i - 1], &mut self.x[i - 1]) };
            self.levels[i].descend(matrix, own, x, &mut below[0])?;
        }
        self.coarsest.multiply(&self.b[n - 1], &mut self.x[n - 1], false)?;
        for i in (0..n).rev() {
            let (x, below) = self.x.split_at_mut(i);
            let (own, x) = if i == 0 { (r, &mut *z) } else { (&self.b[i - 1], &mut x[i - 1]) };
            self.levels[i].ascend(matrix, own, &below[0], x)?;
        }
        Ok(())
    }
}
impl std::fmt::Debug for Multigrid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Multigrid with levels of {:?} nodes", self.nodes)
    }
}
