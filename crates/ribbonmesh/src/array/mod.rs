//! Primitives over flat arrays on a device: what kernels need before and after them.
//!
//! | to | see | waits |
//! |---|---|---|
//! | set all elements | [`fill`] | no |
//! | pick rows by their indices, put rows to indices | [`gather`], [`gather_into`], [`scatter`] | no |
//! | turn lengths into places | [`exclusive_scan`], [`inclusive_scan`] | yes |
//! | list the indices of flags | [`select`] | yes |
//! | sort | [`sort`], [`sort_pairs`], [`order_of`] | no |
//! | list the places of each key | [`group_by`] | yes |
//! | the same where no key occurs often | [`group_short`] | no |
//! | sum values by key | [`sum_by_key`] | yes |
//! | reduce to one value | [`sum`], [`min`], [`max`] | yes |
//! | reduce, and compute with the result on the device | [`sum_into`], [`DeviceScalar`] | no |
//!
//! All functions run on the device of their buffers, with the same results on each. A function waits if the
//! host needs a number to continue. No argument leads to undefined behaviour: lengths and devices are checked
//! before a launch, indices within it. A wrong index is [`Error::Index`](crate::Error::Index), which on a GPU
//! the next call that waits returns.
//!
//! ```
//! use ribbonmesh::{Device, array};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! let device = Device::auto();
//! // rows of different lengths, one after the other
//! let mut starts = device.upload(&[3_u32, 0, 2])?;
//! assert_eq!(array::exclusive_scan(&mut starts)?, 5);
//! assert_eq!(starts.read()?, [0, 3, 3]);
//!
//! let weights = device.upload(&[0.5_f32, 2.0, 8.0])?;
//! let picked = array::gather(&weights, &device.upload(&[2, 0, 2])?)?;
//! assert_eq!(array::sum(&picked)?, 16.5);
//! # Ok(())
//! # }
//! ```

#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod kernels;

mod groups;
mod scalar;

#[cfg(not(target_arch = "nvptx64"))]
mod reduce;
#[cfg(not(target_arch = "nvptx64"))]
mod rows;
#[cfg(not(target_arch = "nvptx64"))]
mod runs;
#[cfg(not(target_arch = "nvptx64"))]
mod scan;
#[cfg(not(target_arch = "nvptx64"))]
mod select;
#[cfg(not(target_arch = "nvptx64"))]
mod sort;

pub use groups::GroupsView;
#[cfg(not(target_arch = "nvptx64"))]
pub use groups::{Groups, GroupsViewArguments, group_by, group_short};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use reduce::{dot_rows, extreme, scalars};
#[cfg(not(target_arch = "nvptx64"))]
pub use reduce::{max, min, sum, sum_into};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use rows::{copy_words, fill_words, gather_rows, scatter_rows};
#[cfg(not(target_arch = "nvptx64"))]
pub use rows::{count_up, fill, gather, gather_into, narrowed, numbers, scatter};
#[cfg(not(target_arch = "nvptx64"))]
pub use runs::{KeySums, sum_by_key};
#[cfg(not(target_arch = "nvptx64"))]
pub use scalar::DeviceScalar;
pub use scalar::ratio;
#[cfg(not(target_arch = "nvptx64"))]
pub use scan::{exclusive_scan, inclusive_scan};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use scan::{scan_counts, scan_counts_on_device};
#[cfg(not(target_arch = "nvptx64"))]
pub use select::select;
#[cfg(not(target_arch = "nvptx64"))]
pub use sort::{order_of, sort, sort_pairs};

#[cfg(not(target_arch = "nvptx64"))]
mod checks {
    use crate::{Buffer, Device, Error, Result};
    use bytemuck::Pod;

    /// The number of elements of an array, if 32 bits can count them.
    pub fn count(what: &'static str, n: usize) -> Result<u32> {
        let (count, limit) = (n as u64, u64::from(u32::MAX));
        u32::try_from(n).map_err(|_| Error::TooMany { what, count, limit })
    }
    /// The number of words of a row of `T`, if the words of the longest of some arrays can be counted with 32
    /// bits.
    pub fn words<T: Pod>(what: &'static str, most: usize) -> Result<u32> {
        const { assert!(size_of::<T>().is_multiple_of(4), "rows are whole words of 32 bits") };
        let words = size_of::<T>() / 4;
        let (count, limit) = (most as u64 * words as u64, u64::from(u32::MAX));
        if count > limit || most as u64 > limit {
            return Err(Error::TooMany { what, count: count.max(most as u64), limit });
        }
        Ok(words as u32)
    }
    pub fn same_device<T: Pod>(device: &Device, what: &'static str, other: &Buffer<T>) -> Result<()> {
        if other.device().same(device) { Ok(()) } else { Err(Error::OtherDevice { what }) }
    }
    pub fn length(what: &'static str, expected: usize, found: usize) -> Result<()> {
        if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
    }
}
