//! Indices of flagged elements.
use super::checks;
use super::kernels::scan::ScanSums;
use super::kernels::select::{CountFlagged, ListFlagged};
use crate::device::tiles;
use crate::{Buffer, Result};

/// The indices of all flags that are not 0, ascending. Two passes; waits for their number.
/// # Errors
/// [`Error::TooMany`](crate::Error::TooMany) for more flags than 32 bits count; out of memory; errors of
/// earlier kernels or of the driver.
pub fn select(flags: &Buffer<u32>) -> Result<Buffer<u32>> {
    let n = checks::count("flags", flags.len())?;
    let (device, blocks) = (flags.device(), tiles(n));
    let mut sums = device.unspecified::<u32>(blocks as usize + 1)?;
    device.launch(blocks, CountFlagged { flags: flags.view(), n, sums: sums.view_mut() })?;
    device.launch(1, ScanSums { sums: sums.view_mut(), n: blocks })?;
    let total = sums.read_range(blocks as usize, 1)?[0];
    let mut list = device.unspecified(total as usize)?;
    let (sums, all) = (sums.view(), list.view_mut());
    device.launch(blocks, ListFlagged { flags: flags.view(), n, sums, list: all })?;
    Ok(list)
}
