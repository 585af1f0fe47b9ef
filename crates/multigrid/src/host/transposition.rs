//! Rows become columns.
use super::blocks::{Blocks, Pattern};
use super::error::Result;
use super::numbers::Numbers;
use crate::device::rows::TransposeBlocks;
use ribbonmesh::{Buffer, array};
use std::sync::Arc;

/// The transpose of a pattern, and where its blocks come from: made once, used for all numbers.
#[derive(Debug)]
pub struct Transposition {
    pattern: Arc<Pattern>,
    /// The place that each block comes from.
    places: Buffer<u32>,
}
impl Transposition {
    /// Of a pattern: places grouped by columns. Waits.
    /// # Errors
    /// As [`array::group_by`].
    pub fn new(of: &Pattern) -> Result<Self> {
        let groups = array::group_by(&of.indices, of.columns)?;
        let indices = array::gather(&of.rows, groups.places())?;
        let rows = array::gather(&of.indices, groups.places())?;
        let starts = groups.starts().try_clone()?;
        let places = groups.places().try_clone()?;
        let pattern = Arc::new(Pattern { columns: of.rows() as u32, starts, indices, rows });
        Ok(Self { pattern, places })
    }
    /// The blocks of the transpose.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }
    /// The transpose of a matrix with the pattern. One launch; does not wait.
    /// # Errors
    /// [`ribbonmesh::Error::Length`] for another number of blocks; out of memory; errors of the driver.
    pub fn of<R: Numbers>(&self, a: &Blocks<R>) -> Result<Blocks<R>> {
        super::error::length("blocks of a matrix", self.places.len(), a.pattern.len())?;
        let (device, [height, width]) = (a.device(), a.shape());
        let mut values = device.unspecified::<R>(a.values.len())?;
        let kernel = TransposeBlocks {
            height: a.height,
            width: a.width,
            places: self.places.view(),
            from: a.values.view(),
            to: values.view_mut(),
        };
        device.launch_each(a.values.len() as u32, kernel)?;
        Blocks::of_pattern(self.pattern.clone(), [width, height], values)
    }
}
