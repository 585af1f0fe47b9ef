//! Sorting.
use super::checks;
use super::kernels::exchange::{
    CountInChunks, MOST_CHUNKS, MergeChunks, STEP, SampleKeys, ScatterInChunks, SplitChunks, SumInChunks,
    samples,
};
use super::kernels::sort::{CountDigits, DIGITS, NumberKeys, SORT_TILE, ScatterDigits, SumDigits};
use crate::{Buffer, Error, Result};

/// Sorts keys by their lowest `bits` bits, 1 to 64, rounded up to a multiple of 8. A linear radix sort: one
/// pass for every eight bits, which moves 20 bytes per key; does not wait. Needs scratch memory of the size
/// of the keys.
///
/// On several cards, each sorts the keys that it has, and then all keys move once: a key crosses from one
/// card to another at most once.
/// # Errors
/// [`Error::Option`] for other numbers of bits; [`Error::TooMany`] for more keys than 32 bits count; out of
/// memory; errors of the driver.
pub fn sort(keys: &mut Buffer<u64>, bits: u32) -> Result<()> {
    passes(bits, keys, None)
}
/// As [`sort`], for pairs of a key and a value; stable. A pass moves 32 bytes per key.
/// # Errors
/// As [`sort`]; [`Error::OtherDevice`]; [`Error::Length`] unless there is a value for each key.
pub fn sort_pairs(keys: &mut Buffer<u64>, values: &mut Buffer<u32>, bits: u32) -> Result<()> {
    checks::same_device(keys.device(), "the buffer of values", values)?;
    checks::length("values to sort", keys.len(), values.len())?;
    passes(bits, keys, Some(values))
}
/// The places of numbers in the order of their lowest `bits` bits, 1 to 32; equal ones keep their order. As
/// [`sort_pairs`].
/// # Errors
/// As [`sort`].
pub fn order_of(numbers: &Buffer<u32>, bits: u32) -> Result<Buffer<u32>> {
    let (device, n) = (numbers.device(), checks::count("numbers", numbers.len())?);
    let mut keys = device.unspecified::<u64>(numbers.len())?;
    let mut places = device.unspecified::<u32>(numbers.len())?;
    let key = NumberKeys { from: numbers.view(), keys: keys.view_mut(), numbers: places.view_mut() };
    device.launch_each(n, key)?;
    sort_pairs(&mut keys, &mut places, bits)?;
    Ok(places)
}
fn passes(bits: u32, keys: &mut Buffer<u64>, values: Option<&mut Buffer<u32>>) -> Result<()> {
    if !(1..=64).contains(&bits) {
        return Err(Error::Option { option: "bits", value: bits.to_string(), expected: "1 to 64" });
    }
    let (n, device) = (checks::count("keys", keys.len())?, keys.device().clone());
    let mut none = device.unspecified(0)?;
    let values = values.unwrap_or(&mut none);
    let tiles = n.div_ceil(SORT_TILE);
    let chunks = device.cards_of(tiles).min(MOST_CHUNKS);
    let mut counts = device.unspecified::<u32>((tiles * DIGITS) as usize)?;
    let mut totals = device.unspecified::<u32>((chunks * DIGITS) as usize)?;
    let mut other_keys = device.unspecified::<u64>(keys.len())?;
    let mut other_values = device.unspecified::<u32>(values.len())?;
    // from the caller's memory to the other and back
    let (mut from, mut to) = ((&mut *keys, &mut *values), (&mut other_keys, &mut other_values));
    let mut back = true;
    for shift in (0..bits).step_by(8) {
        if chunks > 1 {
            let counted = CountInChunks { keys: from.0.view(), n, chunks, shift, counts: counts.view_mut() };
            device.launch(tiles, counted)?;
            let (sums, all) = (counts.view_mut(), totals.view_mut());
            device.launch_on_all(chunks * DIGITS, SumInChunks { counts: sums, tiles, totals: all })?;
            let kernel = ScatterInChunks {
                keys: from.0.view(),
                values: from.1.view(),
                n,
                chunks,
                shift,
                counts: counts.view(),
                totals: totals.view(),
                sorted_keys: to.0.view_mut(),
                sorted_values: to.1.view_mut(),
            };
            device.launch(tiles, kernel)?;
        } else {
            device.launch(tiles, CountDigits { keys: from.0.view(), n, shift, counts: counts.view_mut() })?;
            let (sums, all) = (counts.view_mut(), totals.view_mut());
            device.launch(DIGITS, SumDigits { counts: sums, tiles, totals: all })?;
            let kernel = ScatterDigits {
                keys: from.0.view(),
                values: from.1.view(),
                n,
                shift,
                counts: counts.view(),
                totals: totals.view(),
                sorted_keys: to.0.view_mut(),
                sorted_values: to.1.view_mut(),
            };
            device.launch(tiles, kernel)?;
        }
        std::mem::swap(&mut from, &mut to);
        back = !back;
    }
    if chunks > 1 {
        merge(bits, chunks, (&*from.0, &*from.1), (&mut *to.0, &mut *to.1))?;
        back = !back;
    }
    if !back {
        keys.copy_from(&other_keys)?;
        values.copy_from(&other_values)?;
    }
    Ok(())
}
/// Merges chunks, each of which is sorted.
fn merge(
    bits: u32,
    chunks: u32,
    (keys, values): (&Buffer<u64>, &Buffer<u32>),
    (merged_keys, merged_values): (&mut Buffer<u64>, &mut Buffer<u32>),
) -> Result<()> {
    let (device, n) = (keys.device(), keys.len() as u32);
    let mask = u64::MAX >> (u64::BITS - bits.next_multiple_of(8));
    let count = n.div_ceil(STEP);
    let mut sampled = device.unspecified::<u64>(count as usize)?;
    let mut order = device.unspecified::<u32>(count as usize)?;
    let sample = SampleKeys { keys: keys.view(), samples: sampled.view_mut(), places: order.view_mut() };
    device.launch_each(count, sample)?;
    passes(bits, &mut sampled, Some(&mut order))?;
    let pieces = count.div_ceil(samples(chunks));
    let ends = (pieces + 1) * chunks;
    let mut splits = device.unspecified::<u32>(ends as usize)?;
    let places = splits.view_mut();
    let split = SplitChunks { keys: keys.view(), n, chunks, mask, order: order.view(), splits: places };
    device.launch_each(ends, split)?;
    let kernel = MergeChunks {
        keys: keys.view(),
        values: values.view(),
        n,
        chunks,
        mask,
        splits: splits.view(),
        merged_keys: merged_keys.view_mut(),
        merged_values: merged_values.view_mut(),
    };
    device.launch_on_all(pieces, kernel)
}
