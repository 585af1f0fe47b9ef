//! Filled buffers, and prefix sums on the host.
use crate::{Buffer, Device, Error, Result, array};

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

/// As [`offsets`], for parts of patches, whose sum may not fit 32 bits. `what` names them.
pub(in crate::static_mesh) fn offsets_of_parts(
    what: &'static str,
    counts: impl IntoIterator<Item = u32>,
) -> Result<Vec<u32>> {
    let mut sum = 0_u64;
    let mut offsets: Vec<u32> = vec![0];
    for n in counts {
        sum += u64::from(n);
        offsets.push(sum as u32);
    }
    let limit = u64::from(u32::MAX);
    if sum > limit { Err(Error::TooMany { what, count: sum, limit }) } else { Ok(offsets) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_32_bits_cannot_name() {
        let parts = [u32::MAX - 5, 5];
        assert_eq!(offsets_of_parts("parts", parts).expect("all of them"), [0, u32::MAX - 5, u32::MAX]);
        let refused = offsets_of_parts("parts", parts.into_iter().chain([1])).expect_err("one more");
        assert!(matches!(refused, Error::TooMany { what: "parts", count: 0x1_0000_0000, .. }), "{refused}");
    }
}
