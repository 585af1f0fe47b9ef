//! Filling, gathering, scattering.
use super::checks;
use super::kernels::rows::{self, CopyWords, CountUp, Fill, LowerHalves, Words};
use crate::device::tiles;
use crate::{Buffer, Device, Result};
use bytemuck::Pod;
use ribbonmesh_device::{BufferView, BufferViewMut};
use std::ops::Range;

/// One of the kernels for rows of 1, 2, 3, 4, 6 or any other number of words.
macro_rules! by_words { (
    $device:expr, $n:ident, $words:ident, $kernel:ident $any:ident, { $($field:ident: $value:expr),* }
) => {
    match $words {
        1 => $device.launch(tiles($n), rows::$kernel { n: $n, $($field: $value),* }.of::<1>()),
        2 => $device.launch(tiles($n), rows::$kernel { n: $n, $($field: $value),* }.of::<2>()),
        3 => $device.launch(tiles($n), rows::$kernel { n: $n, $($field: $value),* }.of::<3>()),
        4 => $device.launch(tiles($n), rows::$kernel { n: $n, $($field: $value),* }.of::<4>()),
        6 => $device.launch(tiles($n), rows::$kernel { n: $n, $($field: $value),* }.of::<6>()),
        words => $device.launch(tiles($n), rows::$any { n: $n, words, $($field: $value),* }),
    }
} }

/// Sets all elements to a value. The size of `T` is a multiple of 4 bytes. One pass; does not wait.
/// # Errors
/// [`Error::TooMany`](crate::Error::TooMany) beyond 2³² words; out of memory; errors of the driver.
pub fn fill<T: Pod>(values: &mut Buffer<T>, value: T) -> Result<()> {
    let (device, len) = (values.device().clone(), values.len());
    let words = checks::words::<T>("words of an array", len)?;
    let (n, bytes) = (len as u32, bytemuck::bytes_of(&value));
    let mut short = [0; 6];
    if let Some(part) = bytemuck::cast_slice_mut::<u32, u8>(&mut short).get_mut(..bytes.len()) {
        part.copy_from_slice(bytes);
    }
    let (short, to) = (Words { words: short }, values.view_mut().wide());
    match words {
        1 => device.launch(tiles(n), Fill { n, value: short, to }.of::<1>()),
        2 => device.launch(tiles(n), Fill { n, value: short, to }.of::<2>()),
        3 => device.launch(tiles(n), Fill { n, value: short, to }.of::<3>()),
        4 => device.launch(tiles(n), Fill { n, value: short, to }.of::<4>()),
        6 => device.launch(tiles(n), Fill { n, value: short, to }.of::<6>()),
        _ => {
            let one = device.upload(&[value])?;
            device.launch(tiles(n), rows::FillRows { n, words, value: one.view().wide(), to })
        }
    }
}
/// Sets the first `n` words, of which there are as many.
pub(crate) fn fill_words(values: &mut Buffer<u32>, n: u32, value: u32) -> Result<()> {
    let (device, words) = (values.device().clone(), [value, 0, 0, 0, 0, 0]);
    device.launch(tiles(n), Fill { n, value: Words { words }, to: values.view_mut() }.of::<1>())
}
/// The numbers from 0 to `n` - 1. Does not wait.
/// # Errors
/// Out of memory; errors of the driver.
pub fn count_up(device: &Device, n: u32) -> Result<Buffer<u32>> {
    numbers(device, 0..n)
}
/// The numbers of a range. Does not wait.
/// # Errors
/// Out of memory; errors of the driver.
pub fn numbers(device: &Device, range: Range<u32>) -> Result<Buffer<u32>> {
    let mut numbers = device.unspecified::<u32>(range.len())?;
    device.launch_each(range.len() as u32, CountUp { first: range.start, to: numbers.view_mut() })?;
    Ok(numbers)
}
/// The 64-bit numbers that are two words each, lower one first, as 32-bit numbers; `None` if 32 bits do not
/// hold one of them. Waits.
/// # Errors
/// [`Error::TooMany`](crate::Error::TooMany) beyond 2³² words; out of memory; errors of the driver.
pub fn narrowed(numbers: &Buffer<u32>) -> Result<Option<Buffer<u32>>> {
    let (device, n) = (numbers.device(), checks::count("words", numbers.len())? / 2);
    let (mut low, mut wide) = (device.unspecified::<u32>(n as usize)?, device.zeros::<u32>(1)?);
    let kernel = LowerHalves { from: numbers.view(), to: low.view_mut(), wide: wide.view_mut() };
    device.launch_each(n, kernel)?;
    Ok((wide.read()?[0] == 0).then_some(low))
}
/// Copies the first `n` words, of which both have as many.
pub(crate) fn copy_words(
    device: &Device,
    n: u32,
    from: BufferView<'_, u32>,
    to: BufferViewMut<'_, u32>,
) -> Result<()> {
    device.launch_each(n, CopyWords { from, to })
}
/// `to[i] = from[index[i]]` for `n` rows of `words` words; all indices are known to be right.
pub(crate) fn gather_rows(
    device: &Device,
    n: u32,
    words: u32,
    index: BufferView<'_, u32>,
    from: BufferView<'_, u32>,
    to: BufferViewMut<'_, u32>,
) -> Result<()> {
    by_words!(device, n, words, Gather GatherRows, {
        index: index, from: from, to: to
    })
}
/// `to[index[i]] = from[i]` for `n` rows of `words` words; all indices are known to be right, and none occurs
/// twice.
pub(crate) fn scatter_rows(
    device: &Device,
    n: u32,
    words: u32,
    index: BufferView<'_, u32>,
    from: BufferView<'_, u32>,
    to: BufferViewMut<'_, u32>,
) -> Result<()> {
    by_words!(device, n, words, Scatter ScatterRows, {
        index: index, from: from, to: to
    })
}

/// The elements `from[index[i]]`. The size of `T` is a multiple of 4 bytes. One pass; does not wait.
/// # Errors
/// As [`gather_into`]; out of memory.
pub fn gather<T: Pod>(from: &Buffer<T>, index: &Buffer<u32>) -> Result<Buffer<T>> {
    let mut to = from.device().unspecified(index.len())?;
    gather_into(from, index, &mut to)?;
    Ok(to)
}
/// `to[i] = from[index[i]]`. The size of `T` is a multiple of 4 bytes. One pass; does not wait.
/// # Errors
/// [`Error::Index`](crate::Error::Index) for an index out of bounds of `from`, any one if there are several;
/// on a GPU the next call that waits returns this error. Elements of `to` with such an index are unspecified,
/// all others are correct.
///
/// [`Error::OtherDevice`](crate::Error::OtherDevice); [`Error::Length`](crate::Error::Length) unless `to` has
/// an element for each index; [`Error::TooMany`](crate::Error::TooMany) beyond 2³² words; errors of the
/// driver.
pub fn gather_into<T: Pod>(from: &Buffer<T>, index: &Buffer<u32>, to: &mut Buffer<T>) -> Result<()> {
    let device = from.device().clone();
    checks::same_device(&device, "the buffer of indices", index)?;
    checks::same_device(&device, "the buffer to gather to", to)?;
    checks::length("the buffer to gather to", index.len(), to.len())?;
    let words = checks::words::<T>("words of an array", from.len().max(to.len()))?;
    let (n, rows) = (index.len() as u32, from.len() as u32);
    by_words!(device, n, words, GatherWithin GatherRowsWithin, {
        rows: rows, index: index.view(), from: from.view().wide(), to: to.view_mut().wide()
    })
}
/// `to[index[i]] = from[i]`; other elements of `to` do not change. The size of `T` is a multiple of 4 bytes.
/// One pass; does not wait.
///
/// If an index occurs several times, each 32-bit word of its element comes from one of these sources. The
/// source is not determined, and may differ from word to word. Words are written atomically, so there is no
/// data race.
/// # Errors
/// [`Error::Index`](crate::Error::Index) for an index out of bounds of `to`, any one if there are several; on
/// a GPU the next call that waits returns this error. All other elements are written.
///
/// [`Error::OtherDevice`](crate::Error::OtherDevice); [`Error::Length`](crate::Error::Length) unless `from`
/// has an element for each index; [`Error::TooMany`](crate::Error::TooMany) beyond 2³² words; errors of the
/// driver.
pub fn scatter<T: Pod>(from: &Buffer<T>, index: &Buffer<u32>, to: &mut Buffer<T>) -> Result<()> {
    let device = from.device().clone();
    checks::same_device(&device, "the buffer of indices", index)?;
    checks::same_device(&device, "the buffer to scatter to", to)?;
    checks::length("rows to scatter", index.len(), from.len())?;
    let words = checks::words::<T>("words of an array", from.len().max(to.len()))?;
    let (n, rows) = (index.len() as u32, to.len() as u32);
    by_words!(device, n, words, ScatterWithin ScatterRowsWithin, {
        rows: rows, index: index.view(), from: from.view().wide(), to: to.view_mut().wide()
    })
}
