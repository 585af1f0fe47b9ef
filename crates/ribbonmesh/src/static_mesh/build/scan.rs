//! Prefix sums of buffers.
use crate::kernels::construct::scan::{Fill, Put, ScanSums, ScanTiles, TileSums};
use crate::{Buffer, Device, Result};
use ribbonmesh_device::tiles;

/// `values[i]` becomes the sum of those before it; returns the sum of all.
pub(crate) fn exclusive_scan(device: &Device, values: &mut Buffer<u32>) -> Result<u32> {
    let n = values.len() as u32;
    let blocks = tiles(n);
    let mut sums = device.zeros::<u32>(blocks as usize + 1)?;
    device.launch(blocks, TileSums { values: values.view(), n, sums: sums.view_mut() })?;
    device.launch(1, ScanSums { sums: sums.view_mut(), n: blocks })?;
    device.launch(blocks, ScanTiles { values: values.view_mut(), n, sums: sums.view() })?;
    Ok(sums.read_range(blocks as usize, 1)?[0])
}

/// A buffer of `n` times `value`.
pub(in crate::static_mesh) fn filled(device: &Device, n: usize, value: u32) -> Result<Buffer<u32>> {
    let mut buffer = device.zeros(n)?;
    if value != 0 {
        device.launch(tiles(n as u32), Fill { values: buffer.view_mut(), n: n as u32, value })?;
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
    device.launch(tiles(n), Put { n, at: at.view(), values: values.view(), to: to.view_mut() })
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
