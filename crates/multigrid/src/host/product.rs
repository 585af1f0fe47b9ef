//! Products of sparse matrices.
use super::blocks::{Blocks, Pattern};
use super::error::{MultigridError, Result, fits, length};
use super::numbers::Numbers;
use crate::device::product::{CountProducts, MergeColumns, MergeLong, MultiplyRows, PackColumns};
use crate::device::rows::ROWS;
use ribbonmesh::array;
use std::sync::Arc;

/// The blocks of the product of two matrices: made once, used for all numbers.
#[derive(Debug)]
pub struct Product {
    pattern: Arc<Pattern>,
}
/// Sizes that there are kernels for.
const SIZES: &str = "1 x 1, 3 x 3 and 6 x 6 by the same, 3 x 3 by 3 x 6, 6 x 3 by 3 x 6";

impl Product {
    /// The blocks of A B (Gustavson 1978). A thread for each row sorts columns as it finds them; a row with
    /// more than 128 products is a block's work, with a table in shared memory. One with more than 1,536
    /// columns is one thread's, and costs about the square of their number. Waits three times.
    /// # Errors
    /// [`ribbonmesh::Error::Length`] unless A has as many columns as B rows;
    /// [`ribbonmesh::Error::OtherDevice`]; [`ribbonmesh::Error::TooMany`]; out of memory; errors of the
    /// driver.
    pub fn new<R: Numbers>(a: &Blocks<R>, b: &Blocks<R>) -> Result<Self> {
        Self::of(&a.pattern, &b.pattern)
    }
    /// As [`Product::new`], from the patterns of A and B.
    /// # Errors
    /// As [`Product::new`].
    pub fn of(of_a: &Pattern, of_b: &Pattern) -> Result<Self> {
        length("rows of the second matrix", of_a.columns(), of_b.rows())?;
        let (device, rows) = (of_a.device(), of_a.rows());
        let mut from = device.zeros::<u32>(rows + 1)?;
        let mut long = device.unspecified::<u32>(rows)?;
        let count = CountProducts {
            most: of_b.columns,
            a: of_a.view(),
            b: of_b.view(),
            to: from.view_mut(),
            long: long.view_mut(),
        };
        device.launch_each(rows as u32, count)?;
        let room = array::exclusive_scan(&mut from)?;
        let mut list = device.unspecified::<u32>(room as usize)?;
        let mut starts = device.zeros::<u32>(rows + 1)?;
        let merge = MergeColumns {
            n: rows as u32,
            a: of_a.view(),
            b: of_b.view(),
            long: long.view(),
            starts: from.view(),
            list: list.view_mut(),
            counts: starts.view_mut(),
        };
        device.launch((rows as u32).div_ceil(ROWS), merge)?;
        let long = array::select(&long)?;
        let merge = MergeLong {
            rows: long.view(),
            a: of_a.view(),
            b: of_b.view(),
            starts: from.view(),
            list: list.view_mut(),
            counts: starts.view_mut(),
        };
        device.launch(long.len() as u32, merge)?;
        let len = array::exclusive_scan(&mut starts)? as usize;
        let (mut indices, mut of_places) = (device.unspecified::<u32>(len)?, device.unspecified(len)?);
        let pack = PackColumns {
            from: from.view(),
            list: list.view(),
            starts: starts.view(),
            columns: indices.view_mut(),
            rows: of_places.view_mut(),
        };
        device.launch_each(rows as u32, pack)?;
        let pattern = Pattern { columns: of_b.columns, starts, indices, rows: of_places };
        Ok(Self { pattern: Arc::new(pattern) })
    }
    /// The blocks.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }
    /// The numbers of A B, whose patterns are those of [`Product::new`]. Sums are in double precision, in the
    /// order of A's columns. One launch; does not wait.
    /// # Errors
    /// [`MultigridError::Size`] for blocks of other sizes than there are kernels for;
    /// [`ribbonmesh::Error::Length`] for another number of rows; out of memory; errors of the driver.
    pub fn values<R: Numbers>(&self, a: &Blocks<R>, b: &Blocks<R>) -> Result<Blocks<R>> {
        length("rows of the first matrix", self.pattern.rows(), a.pattern.rows())?;
        length("columns of the second matrix", self.pattern.columns(), b.pattern.columns())?;
        length("rows of the second matrix", a.pattern.columns(), b.pattern.rows())?;
        length("rows of blocks of the second matrix", a.width as usize, b.height as usize)?;
        let (height, width) = (a.height as usize, b.width as usize);
        let numbers = fits("numbers of a matrix", (self.pattern.len() * height * width) as u64)?;
        let mut values = a.device().unspecified::<R>(numbers as usize)?;
        let n = (self.pattern.len() * height) as u32;
        let kernel = MultiplyRows {
            n,
            rows: self.pattern.rows.view(),
            columns: self.pattern.indices.view(),
            a: a.pattern.view(),
            of_a: a.values.view(),
            b: b.pattern.view(),
            of_b: b.values.view(),
            to: values.view_mut(),
        };
        let (device, blocks) = (a.device(), n.div_ceil(ROWS));
        match [height, a.width as usize, width] {
            [1, 1, 1] => device.launch(blocks, kernel.of::<1, 1, 1>())?,
            [3, 3, 3] => device.launch(blocks, kernel.of::<3, 3, 3>())?,
            [3, 3, 6] => device.launch(blocks, kernel.of::<3, 3, 6>())?,
            [6, 6, 6] => device.launch(blocks, kernel.of::<6, 6, 6>())?,
            [6, 3, 6] => device.launch(blocks, kernel.of::<6, 3, 6>())?,
            _ => {
                return Err(MultigridError::Size {
                    what: "a product of blocks",
                    height,
                    width,
                    expected: SIZES,
                });
            }
        }
        Blocks::of_pattern(self.pattern.clone(), [height, width], values)
    }
}
