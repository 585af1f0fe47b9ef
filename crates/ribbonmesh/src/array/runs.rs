//! Sums by key.
use super::checks;
use super::kernels::runs::{CountPieces, SumPieces};
use super::kernels::scan::ScanSums;
use crate::device::tiles;
use crate::{Buffer, Device, Result, Scalar};
use bytemuck::Pod;
use ribbonmesh_device::{BufferView, BufferViewMut};

/// Result of [`sum_by_key`]: a key and a sum for each run of equal keys.
#[derive(Debug)]
pub struct KeySums<S: Pod> {
    /// The key of each run, in their order.
    pub keys: Buffer<u64>,
    /// The sum of the values of each run.
    pub sums: Buffer<S>,
}

/// Sums the values of each run of equal consecutive keys; if the keys are sorted, of each key. Sums are in
/// `f64` for floats, in wrapping `u64` or `i64` for integers.
///
/// The order of additions depends only on the keys, so results are the same in every run and on every
/// machine. Two passes over the keys and one over the values give the sums within tiles of 1024 entries; this
/// is repeated on the partial sums until no run crosses a tile. Each repetition waits for the number of
/// partial sums.
/// # Errors
/// [`Error::OtherDevice`](crate::Error::OtherDevice); [`Error::Length`](crate::Error::Length) unless there is
/// a value for each key; [`Error::TooMany`](crate::Error::TooMany) for more keys than 32 bits count; out of
/// memory; errors of earlier kernels or of the driver.
pub fn sum_by_key<T: Scalar>(keys: &Buffer<u64>, values: &Buffer<T>) -> Result<KeySums<T::Sum>> {
    let device = keys.device();
    checks::same_device(device, "the buffer of values", values)?;
    checks::length("values with keys", keys.len(), values.len())?;
    let n = checks::count("keys", keys.len())?;
    let (mut found, mut cut) = level(device, keys, n, |n, sums, piece_keys, piece_sums| {
        let (keys, x) = (keys.view(), values.view());
        device.launch(tiles(n), SumPieces { keys, n, x, sums, piece_keys, piece_sums })
    })?;
    while cut {
        let (pieces, still_cut) = {
            // two's complement: sums of signed numbers have the same bits
            let (keys, x) = (&found.keys, found.sums.view().wide::<T::Bits>());
            level(device, keys, keys.len() as u32, |n, sums, piece_keys, piece_sums| {
                let (keys, piece_sums) = (keys.view(), piece_sums.wide::<T::Bits>());
                device.launch(tiles(n), SumPieces { keys, n, x, sums, piece_keys, piece_sums })
            })?
        };
        (found, cut) = (pieces, still_cut);
    }
    Ok(found)
}
/// One level: `sum` launches the kernel, with the prefix sums of the numbers of pieces and the outputs of the
/// pieces. Also returns whether a run is cut.
fn level<S: Pod>(
    device: &Device,
    keys: &Buffer<u64>,
    n: u32,
    sum: impl FnOnce(u32, BufferView<'_, u32>, BufferViewMut<'_, u64>, BufferViewMut<'_, S>) -> Result<()>,
) -> Result<(KeySums<S>, bool)> {
    let blocks = tiles(n);
    let mut sums = device.zeros::<u32>(blocks as usize + 2)?;
    device.launch(blocks, CountPieces { keys: keys.view(), n, sums: sums.view_mut() })?;
    device.launch(1, ScanSums { sums: sums.view_mut(), n: blocks })?;
    let ends = sums.read_range(blocks as usize, 2)?;
    let pieces = ends[0] as usize;
    let mut found = KeySums { keys: device.unspecified(pieces)?, sums: device.unspecified(pieces)? };
    sum(n, sums.view(), found.keys.view_mut(), found.sums.view_mut())?;
    Ok((found, ends[1] != 0))
}
