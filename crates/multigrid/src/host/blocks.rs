//! Sparse matrices of rectangular blocks on a device.
use super::error::{MultigridError, Result, fits, length};
use super::numbers::Numbers;
use crate::device::cycle::{MultiplyBlocks, MultiplyBlocksTypes, MultiplyFours, MultiplyFoursTypes, SET};
use crate::device::rows::{ROWS, RowsArguments, RowsOfPlaces};
use ribbonmesh::device::{BufferView, BufferViewMut, NONE};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_linear::{Real, Vector};
use std::sync::Arc;

/// The blocks that a matrix has: the places of each row, and their columns, which ascend within a row.
pub struct Pattern {
    pub(super) columns: u32,
    pub(super) starts: Buffer<u32>,
    pub(super) indices: Buffer<u32>,
    /// The row of each place.
    pub(super) rows: Buffer<u32>,
}
impl Pattern {
    /// Rows of blocks.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }
    /// Columns of blocks.
    pub fn columns(&self) -> usize {
        self.columns as usize
    }
    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.indices.len()
    }
    /// Whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }
    /// The first place of each row, and the end.
    pub fn starts(&self) -> &Buffer<u32> {
        &self.starts
    }
    /// The column of each place.
    pub fn indices(&self) -> &Buffer<u32> {
        &self.indices
    }
    /// The row of each place.
    pub fn places(&self) -> &Buffer<u32> {
        &self.rows
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.starts.device()
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.starts.bytes() + self.indices.bytes() + self.rows.bytes()
    }
    pub(super) fn view(&self) -> RowsArguments<'_> {
        RowsArguments { starts: self.starts.view(), columns: self.indices.view() }
    }
}
impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pattern of {} x {} blocks with {}", self.rows(), self.columns, self.len())
    }
}

/// A sparse matrix of blocks of `height` rows and `width` columns of numbers, row by row.
///
/// The pattern is shared with other matrices that have the same blocks.
pub struct Blocks<R> {
    pub(super) pattern: Arc<Pattern>,
    pub(super) height: u32,
    pub(super) width: u32,
    pub(super) values: Buffer<R>,
}
/// A matrix on the host: the first place of each row and the end, columns, numbers of blocks.
pub type Entries<R> = (Vec<u32>, Vec<u32>, Vec<R>);

impl<R: Numbers> Blocks<R> {
    /// A matrix of arrays that are on a device: the first place of each row, and the end; columns, ascending
    /// within a row; the numbers of blocks, each row by row. `columns` counts columns of blocks. Checked on
    /// the device; waits.
    /// # Errors
    /// [`MultigridError::Row`] names the first row that is wrong; [`ribbonmesh::Error::Length`];
    /// [`ribbonmesh::Error::OtherDevice`]; [`MultigridError::TooMany`]; out of memory; errors of the driver.
    pub fn new(
        columns: usize,
        shape: [usize; 2],
        starts: Buffer<u32>,
        indices: Buffer<u32>,
        values: Buffer<R>,
    ) -> Result<Self> {
        let device = starts.device().clone();
        let rows = fits("rows of a matrix", starts.len() as u64)?.checked_sub(1);
        let rows = rows.ok_or(ribbonmesh::Error::Length { what: "places of rows", expected: 1, found: 0 })?;
        let columns = fits("columns of a matrix", columns as u64)?;
        let places = fits("blocks of a matrix", indices.len() as u64)?;
        let last = starts.read_range(rows as usize, 1)?[0];
        length("columns of blocks", last as usize, indices.len())?;
        let (mut of_places, mut wrong) = (device.unspecified(indices.len())?, device.upload(&[NONE])?);
        let kernel = RowsOfPlaces {
            places,
            of_columns: columns,
            rows: RowsArguments { starts: starts.view(), columns: indices.view() },
            to: of_places.view_mut(),
            wrong: wrong.view_mut(),
        };
        device.launch_each(rows, kernel)?;
        let wrong = wrong.read()?[0];
        if wrong != NONE {
            return Err(MultigridError::Row { row: wrong as usize, columns: columns as usize });
        }
        let pattern = Pattern { columns, starts, indices, rows: of_places };
        Self::of_pattern(Arc::new(pattern), shape, values)
    }
    /// The numbers of blocks that a pattern has.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`ribbonmesh::Error::OtherDevice`]; [`MultigridError::TooMany`].
    pub fn of_pattern(pattern: Arc<Pattern>, [height, width]: [usize; 2], values: Buffer<R>) -> Result<Self> {
        let numbers = (pattern.len() * height * width) as u64;
        fits("numbers of a matrix", numbers)?;
        let most = pattern.rows().max(pattern.columns()) * height.max(width);
        fits("numbers of a vector", most as u64)?;
        length("numbers of a matrix", numbers as usize, values.len())?;
        if !values.device().same(pattern.device()) {
            return Err(ribbonmesh::Error::OtherDevice { what: "the numbers" }.into());
        }
        Ok(Self { pattern, height: height as u32, width: width as u32, values })
    }
    /// The blocks that it has.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }
    /// Rows and columns of a block.
    pub fn shape(&self) -> [usize; 2] {
        [self.height as usize, self.width as usize]
    }
    /// The numbers of blocks.
    pub fn numbers(&self) -> &Buffer<R> {
        &self.values
    }
    /// The numbers of blocks, to be changed.
    pub fn numbers_mut(&mut self) -> &mut Buffer<R> {
        &mut self.values
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.values.device()
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.pattern.bytes() + self.values.bytes()
    }
    /// The matrix on the host; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<Entries<R>> {
        Ok((self.pattern.starts.read()?, self.pattern.indices.read()?, self.values.read()?))
    }
}
/// Arguments that all launches of a cycle have in common.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Lanes of vectors.
    pub lanes: u32,
    /// The state of the solve, or nothing.
    pub state: BufferView<'a, f64>,
}
impl<R: Numbers> Blocks<R> {
    /// y = A x for vectors with `lanes` numbers for each unknown, which are next to each other. Sums are in
    /// double precision. One launch; does not wait.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; errors of the driver.
    pub fn multiply<X: Vector>(&self, lanes: u32, x: &X, y: &mut X) -> Result<()>
    where
        X::Real: MultiplyBlocksTypes<R> + MultiplyFoursTypes<R>,
    {
        length("numbers of x", self.pattern.columns() * (self.width * lanes) as usize, x.numbers().len())?;
        length("numbers of y", self.pattern.rows() * (self.height * lanes) as usize, y.numbers().len())?;
        let run = Run { lanes, state: BufferView::empty() };
        self.launch(run, SET, x.numbers(), BufferView::empty(), y.numbers_mut())
    }
    /// y = A x, y += A x or y = b - A x.
    pub(super) fn launch<V: Real + MultiplyBlocksTypes<R> + MultiplyFoursTypes<R>>(
        &self,
        Run { lanes, state }: Run<'_>,
        what: u32,
        x: BufferView<'_, V>,
        b: BufferView<'_, V>,
        y: BufferViewMut<'_, V>,
    ) -> Result<()> {
        let numbers = self.pattern.rows() as u32 * self.height * lanes;
        let (height, width, rows, values) =
            (self.height, self.width, self.pattern.view(), self.values.view());
        if lanes.is_multiple_of(4) {
            let (quads, fours) = (numbers / 4, lanes / 4);
            let kernel = MultiplyFours { quads, height, width, fours, what, state, rows, values, x, b, y };
            return Ok(self.device().launch(quads.div_ceil(ROWS), kernel)?);
        }
        let kernel = MultiplyBlocks { numbers, height, width, lanes, what, state, rows, values, x, b, y };
        Ok(self.device().launch(numbers.div_ceil(ROWS), kernel)?)
    }
}
impl<R> std::fmt::Debug for Blocks<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} of {} x {} numbers", self.pattern, self.height, self.width)
    }
}
