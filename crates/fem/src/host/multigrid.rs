//! Multigrid by smoothed aggregation as a preconditioner.
//!
//! Coarser levels come from the matrix; above them, a space of order 2 or 3 has that of order 1 as its
//! coarser level.
use super::error::{FemError, Result};
use super::matrix::{Matrix, Storage};
use super::space::{Space, length};
use crate::device::matrix::ROWS;
use crate::device::multigrid::{ListBlocks, RigidMotions, RowSizes};
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, array};
use ribbonmesh_multigrid as multigrid;
use ribbonmesh_multigrid::{Blocks, Hierarchy, Modes, MultigridOptions};

/// A preconditioner of [`super::solve::ConjugateGradients`]: the number of iterations hardly depends on the
/// number of nodes. For matrices of elasticity (blocks of 3 × 3 numbers) and of one unknown per node.
///
/// Made and applied on the device by [`ribbonmesh_multigrid::Multigrid`] (decision 69). The step from order 1
/// to orders 2 and 3 is listed on the host. No sum depends on the order of threads.
#[derive(Debug)]
pub struct Multigrid {
    levels: multigrid::Multigrid<f64>,
}
impl Multigrid {
    /// Makes the levels for a matrix on a space. Bit `k` of a node's word in `fixed` says that unknown `k` is
    /// fixed.
    ///
    /// A matrix of 3 × 3 blocks is taken as one of elasticity: rigid motions cost no energy. For one of
    /// single numbers constants do not.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`FemError::OtherPattern`] for blocks of other sizes than 1 and 3;
    /// [`FemError::NotPositive`]; [`FemError::Multigrid`] for an option out of range; out of memory; errors
    /// of the driver.
    pub fn new<S: Storage>(
        matrix: &Matrix<S>,
        space: &Space<'_>,
        fixed: &Buffer<u32>,
        options: &MultigridOptions,
    ) -> Result<Self> {
        length("rows of the matrix", space.nodes(), matrix.pattern().rows())?;
        length("words of fixed unknowns", space.nodes(), fixed.len())?;
        let modes = match matrix.size() {
            1 => Modes::Constant,
            3 => Modes::Six(motions(space)?),
            _ => return Err(FemError::OtherPattern),
        };
        let first = first_step(matrix.size() as usize, space, &fixed.read()?)?;
        let (rows, fixed) = (rows(matrix)?, Some(fixed.try_clone()?));
        Ok(Self { levels: multigrid::Multigrid::with_first(rows, first, modes, fixed, 1, *options)? })
    }
    /// The levels: their sizes, and the time that they took.
    pub fn hierarchy(&self) -> &Hierarchy {
        self.levels.hierarchy()
    }
    /// Nodes of each level, from the finest.
    pub fn nodes(&self) -> Vec<usize> {
        self.hierarchy().levels.iter().map(|level| level.nodes).collect()
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.hierarchy().bytes
    }
    /// z = M r: one cycle from zero.
    pub(crate) fn apply(
        &mut self,
        state: BufferView<'_, f64>,
        r: &Buffer<f64>,
        z: &mut Buffer<f64>,
    ) -> Result<()> {
        Ok(self.levels.apply(state, r, z)?)
    }
}
/// A matrix as plain rows of blocks in double precision.
pub fn rows<S: Storage>(matrix: &Matrix<S>) -> Result<Blocks<f64>> {
    let (device, pattern, size) = (matrix.device(), matrix.pattern(), matrix.size());
    let rows = pattern.rows() as u32;
    let mut starts = device.unspecified::<u32>(rows as usize + 1)?;
    let sizes = RowSizes { pattern: pattern.view(), to: starts.view_mut() };
    device.launch((rows + 1).div_ceil(ROWS), sizes)?;
    let len = array::exclusive_scan(&mut starts)? as usize;
    let numbers = len * (size * size) as usize;
    let (mut columns, mut values) = (device.unspecified::<u32>(len)?, device.unspecified::<f64>(numbers)?);
    let [diagonal, off] = matrix.buffers();
    let list = ListBlocks {
        size,
        pattern: pattern.view(),
        diagonal: diagonal.view(),
        values: off.view(),
        starts: starts.view(),
        columns: columns.view_mut(),
        to: values.view_mut(),
    };
    device.launch(rows.div_ceil(ROWS), list)?;
    Ok(Blocks::new(rows as usize, [size as usize; 2], starts, columns, values)?)
}
/// The rigid motions at vertices.
pub fn motions(space: &Space<'_>) -> Result<Buffer<f64>> {
    let (device, x) = (space.device(), space.positions());
    let middle = (array::sum(x)? / x.len().max(1) as f64).to_array();
    let mut to = device.unspecified::<f64>(18 * x.len())?;
    let n = x.len() as u32;
    device.launch(n.div_ceil(ROWS), RigidMotions { n, middle, x: x.view(), to: to.view_mut() })?;
    Ok(to)
}
/// From functions of order 1 to functions of a higher order, whose space contains them; nothing at order 1.
pub fn first_step(size: usize, space: &Space<'_>, fixed: &[u32]) -> Result<Option<Blocks<f64>>> {
    let order = space.shape().order();
    if order == 1 {
        return Ok(None);
    }
    let (device, supports, vertices) = (space.device(), space.supports()?, space.vertices());
    let (mut starts, mut columns, mut values) = (vec![0_u32], vec![], vec![]);
    for (row, own) in supports.iter().enumerate() {
        for &(vertex, weight) in own {
            columns.push(vertex);
            let weight = f64::from(weight) / f64::from(order);
            let kept = |i: usize| (fixed[row] | fixed[vertex as usize]) >> i & 1 == 0;
            let number = |k: usize| if k / size == k % size && kept(k / size) { weight } else { 0.0 };
            values.extend((0..size * size).map(number));
        }
        starts.push(columns.len() as u32);
    }
    let (starts, columns) = (device.upload(&starts)?, device.upload(&columns)?);
    Ok(Some(Blocks::new(vertices, [size; 2], starts, columns, device.upload(&values)?)?))
}
