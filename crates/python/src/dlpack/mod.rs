//! Arrays on a device, by DLPack and the CUDA array interface, in and out.
mod abi;
mod array;
pub mod taken;

pub use array::{DeviceArray, Source};

use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kinds of copies that are counted when the arrays of a mesh are copied as a whole.
#[derive(Clone, Copy, Debug)]
pub enum Copied {
    /// From an array of the host to memory of the package, or with a change of type.
    OnHost,
    /// From the host to the memory of a device; on the CPU to that of its kernels.
    ToDevice,
    /// From a device to the host.
    ToHost,
    /// Within the memory of a device.
    OnDevice,
}

static COPIES: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// Counts a copy.
pub fn count(copied: Copied) {
    COPIES[copied as usize].fetch_add(1, Ordering::Relaxed);
}

/// Copies of whole arrays and meshes so far.
#[pyfunction]
pub fn copies() -> BTreeMap<&'static str, u64> {
    let names = ["on_host", "to_device", "to_host", "on_device"];
    names.into_iter().zip(&COPIES).map(|(name, count)| (name, count.load(Ordering::Relaxed))).collect()
}
