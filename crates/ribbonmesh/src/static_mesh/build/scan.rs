//! Filled buffers, and prefix sums on the host.
use crate::{Buffer, Device, Result, array};

/// A buffer of `n` times `value`.
pub(in crate::static_mesh) fn filled(device: &Device, n: usize, value: u32) -> Result<Buffer<u32>> {
    let mut buffer = device.zeros(n)?;
    if value != 0 {
        array::fill(&mut buffer, value)?;
    }
    Ok(buffer)
}

/// `to[at[i]] = values[i]`.
pub(in crate::static_mesh) fn put(
    device: &Device,
    at: &[u32],
    values: &[u32],
    to: &mut Buffer<u32>,
) -> Result<()> {
    let (n, at, values) = (at.len() as u32, device.upload(at)?, device.upload(values)?);
    array::scatter_rows(device, n, 1, at.view(), values.view(), to.view_mut())
}

/// Prefix sums on the host, the total at the end: for numbers of patches.
pub(in crate::static_mesh) fn offsets(counts: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut sum = 0;
    let mut offsets: Vec<u32> = vec![0];
    for n in counts {
        sum += n;
        offsets.push(sum);
    }
    offsets
}
