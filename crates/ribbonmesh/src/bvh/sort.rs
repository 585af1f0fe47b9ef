//! Sorting, launched.
use crate::bvh::kernels::sort::{CountDigits, DIGITS, SORT_TILE, ScatterDigits, SumDigits};
use crate::{Buffer, Device, Result};

/// Sorts `keys`, of which only the lowest `bits` bits are set, stably, and `values` with them. Linear: a pass for every eight
/// bits.
pub(crate) fn sort_pairs(
    device: &Device,
    bits: u32,
    keys: &mut Buffer<u64>,
    values: &mut Buffer<u32>,
) -> Result<()> {
    let n = keys.len() as u32;
    let tiles = n.div_ceil(SORT_TILE);
    let mut counts = device.unspecified::<u32>((tiles * DIGITS) as usize)?;
    let mut totals = device.unspecified::<u32>(DIGITS as usize)?;
    let mut other_keys = device.unspecified::<u64>(keys.len())?;
    let mut other_values = device.unspecified::<u32>(values.len())?;
    for shift in (0..bits).step_by(8) {
        device.launch(tiles, CountDigits { keys: keys.view(), n, shift, counts: counts.view_mut() })?;
        let (sums, all) = (counts.view_mut(), totals.view_mut());
        device.launch(DIGITS, SumDigits { counts: sums, tiles, totals: all })?;
        let kernel = ScatterDigits {
            keys: keys.view(),
            values: values.view(),
            n,
            shift,
            counts: counts.view(),
            totals: totals.view(),
            sorted_keys: other_keys.view_mut(),
            sorted_values: other_values.view_mut(),
        };
        device.launch(tiles, kernel)?;
        std::mem::swap(keys, &mut other_keys);
        std::mem::swap(values, &mut other_values);
    }
    Ok(())
}
