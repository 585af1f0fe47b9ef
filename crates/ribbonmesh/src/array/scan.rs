//! Prefix sums.
use super::checks;
use super::kernels::scan::{ScanSums, ScanTiles, ScanTilesInclusive, ScanWideSums, TileSums};
use super::kernels::sum::Sum;
use crate::device::tiles;
use crate::{Buffer, Error, Result};

/// Replaces `values[i]` by the sum of all values before it, in place; returns the sum of all values. Two
/// passes; waits for the sum.
/// # Errors
/// [`Error::TooMany`] if the sum or the number of elements does not fit 32 bits; then the values do not
/// change. Out of memory; errors of earlier kernels or of the driver.
pub fn exclusive_scan(values: &mut Buffer<u32>) -> Result<u32> {
    scan(values, false)
}
/// Replaces `values[i]` by the sum of all values up to and including it, in place; returns the sum of all
/// values. Two passes; waits for the sum.
/// # Errors
/// As [`exclusive_scan`].
pub fn inclusive_scan(values: &mut Buffer<u32>) -> Result<u32> {
    scan(values, true)
}
fn scan(values: &mut Buffer<u32>, inclusive: bool) -> Result<u32> {
    let n = checks::count("elements of an array", values.len())?;
    let (device, blocks) = (values.device().clone(), tiles(n));
    let mut wide = device.unspecified::<u64>(blocks as usize)?;
    let mut sums = device.unspecified::<u32>(blocks as usize)?;
    let mut total = device.unspecified::<u64>(1)?;
    device.launch(blocks, Sum { n, width: 1, x: values.view(), sums: wide.view_mut() })?;
    let (prefix, all) = (sums.view_mut(), total.view_mut());
    device.launch(1, ScanWideSums { wide: wide.view(), n: blocks, sums: prefix, total: all })?;
    let count = total.read()?[0];
    let limit = u64::from(u32::MAX);
    let total =
        u32::try_from(count).map_err(|_| Error::TooMany { what: "counted elements", count, limit })?;
    let (values, sums) = (values.view_mut(), sums.view());
    if inclusive {
        device.launch(blocks, ScanTilesInclusive { values, n, sums })?;
    } else {
        device.launch(blocks, ScanTiles { values, n, sums })?;
    }
    Ok(total)
}

/// As [`exclusive_scan`], where the sum is known to fit 32 bits, and so are the elements.
pub(crate) fn scan_counts(values: &mut Buffer<u32>) -> Result<u32> {
    let sums = scan_counts_on_device(values)?;
    Ok(sums.read_range(sums.len() - 1, 1)?[0])
}
/// The same without a wait: the sum is the last element of the result.
pub(crate) fn scan_counts_on_device(values: &mut Buffer<u32>) -> Result<Buffer<u32>> {
    let (device, n) = (values.device().clone(), values.len() as u32);
    let blocks = tiles(n);
    let mut sums = device.unspecified::<u32>(blocks as usize + 1)?;
    device.launch(blocks, TileSums { values: values.view(), n, sums: sums.view_mut() })?;
    device.launch(1, ScanSums { sums: sums.view_mut(), n: blocks })?;
    device.launch(blocks, ScanTiles { values: values.view_mut(), n, sums: sums.view() })?;
    Ok(sums)
}
