//! Places by key.
use crate::device::{In, Parameter};

#[cfg(not(target_arch = "nvptx64"))]
use super::kernels::groups::{CountKeys, GROUPS, ScatterKeys, SortGroups};
#[cfg(not(target_arch = "nvptx64"))]
use super::{checks, order_of, scan_counts_on_device};
#[cfg(not(target_arch = "nvptx64"))]
use crate::{Buffer, Error, Result, device::tiles};

/// For each key the indices at which it occurs, ascending: by [`group_by`].
#[cfg(not(target_arch = "nvptx64"))]
pub struct Groups {
    starts: Buffer<u32>,
    places: Buffer<u32>,
    /// The topology whose corners these are; 0 for groups of anything else.
    topology: u64,
}

/// The indices at which keys occur, as kernels see them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct GroupsView<'a> {
    /// The first index of the places of each key, and the end: one entry more than there are keys.
    pub starts: In<'a, u32>,
    /// The places; the places of one key ascend.
    pub places: In<'a, u32>,
}
impl GroupsView<'_> {
    /// The first index of the places of a key, and their end.
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
    /// The first index in [`Groups::places`] of the places of each key, and the end: one entry more than
    /// there are keys.
    pub fn starts(&self) -> &Buffer<u32> {
        &self.starts
    }
    /// The places; the places of one key ascend.
    pub fn places(&self) -> &Buffer<u32> {
        &self.places
    }
    /// The same as corners of a topology.
    pub(crate) fn of_topology(self, topology: u64) -> Self {
        Self { topology, ..self }
    }
    /// Whose corners these are; 0 for groups of anything else.
    pub(crate) fn topology(&self) -> u64 {
        self.topology
    }
    /// As an argument of kernels.
    pub fn view(&self) -> GroupsViewArguments<'_> {
        GroupsViewArguments { starts: self.starts.view(), places: self.places.view() }
    }
    /// The same with the places of long groups in order, after [`group_short`] with these keys.
    /// # Errors
    /// As [`order_of`].
    pub fn sorted(self, keys: &Buffer<u32>, count: u32) -> Result<Self> {
        let places = order_of(keys, (u32::BITS - count.leading_zeros()).max(1))?;
        Ok(Self { places, ..self })
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.starts.bytes() + self.places.bytes()
    }
}

/// For each key below `count` the indices at which it occurs in `keys`. Four launches and a prefix sum, 16
/// bytes per key; where a key occurs more than 1024 times, a radix sort as of [`order_of`] besides. Waits.
/// # Errors
/// [`Error::Index`] if a key is not below `count`; [`Error::TooMany`] for more than 32 bits count; out of
/// memory; errors of the driver.
#[cfg(not(target_arch = "nvptx64"))]
pub fn group_by(keys: &Buffer<u32>, count: u32) -> Result<Groups> {
    let mut long = keys.device().zeros::<u32>(1)?;
    let groups = group_short(keys, count, &mut long)?;
    if long.read()?[0] == 0 { Ok(groups) } else { groups.sorted(keys, count) }
}
/// As [`group_by`] without a wait, where no key occurs more than 1024 times. Otherwise the first word of
/// `long`, which is 0 before, becomes 1, and [`Groups::sorted`] sorts the groups; until then, places of long
/// groups have any order. A key that is not below `count` is in no group, and the next call that waits
/// returns [`Error::Index`].
/// # Errors
/// As [`group_by`].
#[cfg(not(target_arch = "nvptx64"))]
pub fn group_short(keys: &Buffer<u32>, count: u32, long: &mut Buffer<u32>) -> Result<Groups> {
    let (device, n) = (keys.device(), checks::count("keys", keys.len())?);
    let (ends, limit) = (u64::from(count) + 1, u64::from(u32::MAX));
    if ends > limit {
        return Err(Error::TooMany { what: "groups", count: ends, limit });
    }
    let mut cursors = device.zeros::<u32>(count as usize)?;
    device.launch(tiles(n), CountKeys { n, count, keys: keys.view(), counts: cursors.view_mut() })?;
    scan_counts_on_device(&mut cursors)?;
    let mut places = device.unspecified::<u32>(n as usize)?;
    let (to, at) = (places.view_mut(), cursors.view_mut());
    device.launch(tiles(n), ScatterKeys { n, count, keys: keys.view(), cursors: at, places: to })?;
    let mut starts = device.unspecified::<u32>(ends as usize)?;
    let sort = SortGroups {
        count,
        ends: cursors.view(),
        places: places.view_mut(),
        starts: starts.view_mut(),
        long: long.view_mut(),
    };
    device.launch((count + 1).div_ceil(GROUPS), sort)?;
    Ok(Groups { starts, places, topology: 0 })
}
