//! Places by key.
use crate::device::{In, Parameter};

#[cfg(not(target_arch = "nvptx64"))]
use super::{checks, kernels::groups::GroupStarts, order_of};
#[cfg(not(target_arch = "nvptx64"))]
use crate::{Buffer, Error, Result, device};

/// For each key the places where it stands, ascending: by [`group_by`].
#[cfg(not(target_arch = "nvptx64"))]
pub struct Groups {
    starts: Buffer<u32>,
    places: Buffer<u32>,
}

/// The places where keys stand, as kernels see them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct GroupsView<'a> {
    /// Where the places of each key begin, and the end: one entry more than there are keys.
    pub starts: In<'a, u32>,
    /// The places, those of a key ascending.
    pub places: In<'a, u32>,
}
impl GroupsView<'_> {
    /// Where the places of a key begin, and where they end.
    #[inline(always)]
    pub fn range(&self, key: u32) -> (u32, u32) {
        (self.starts.get(key), self.starts.get(key + 1))
    }
    /// Runs `f` for each place of a key, in order.
    #[inline(always)]
    pub fn of(&self, key: u32, mut f: impl FnMut(u32)) {
        let (mut k, end) = self.range(key);
        while k < end {
            f(self.places.get(k));
            k += 1;
        }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Groups {
    /// Where the places of each key begin in [`Groups::places`], and the end: one entry more than there are keys.
    pub fn starts(&self) -> &Buffer<u32> {
        &self.starts
    }
    /// The places, those of a key ascending.
    pub fn places(&self) -> &Buffer<u32> {
        &self.places
    }
    /// As an argument of kernels.
    pub fn view(&self) -> GroupsViewArguments<'_> {
        GroupsViewArguments { starts: self.starts.view(), places: self.places.view() }
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.starts.bytes() + self.places.bytes()
    }
}

/// For each key below `count` the places where it stands in `keys`. A radix sort, as [`order_of`], and a launch; does
/// not wait.
/// # Errors
/// As [`order_of`]; [`Error::Index`] if a key is not below `count`.
#[cfg(not(target_arch = "nvptx64"))]
pub fn group_by(keys: &Buffer<u32>, count: u32) -> Result<Groups> {
    let (device, n) = (keys.device(), checks::count("keys", keys.len())?);
    let (ends, limit) = (u64::from(count) + 1, u64::from(u32::MAX));
    if ends > limit || n == u32::MAX {
        return Err(Error::TooMany { what: "groups", count: ends.max(u64::from(n) + 1), limit });
    }
    let places = order_of(keys, (u32::BITS - count.leading_zeros()).max(1))?;
    let mut starts = device.zeros::<u32>(ends as usize)?;
    let kernel =
        GroupStarts { n, count, keys: keys.view(), places: places.view(), starts: starts.view_mut() };
    device.launch(device::tiles(n + 1), kernel)?;
    Ok(Groups { starts, places })
}
