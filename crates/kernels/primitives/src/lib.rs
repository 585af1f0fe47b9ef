//! Test kernels: every primitive of a block, so that a suite can compare both machines with plain Rust.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod atomics;
pub mod collectives;
pub mod loops;
pub mod memory;
pub mod misuse;
pub mod per_patch;
pub mod resident;

use ribbonmesh_device::{In, Parameter};

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh_device::PtxModule = ribbonmesh_device::PtxModule {
    name: "ribbonmesh-primitives",
    text: include_str!("../ptx/ribbonmesh-primitives.ptx"),
};

/// Parts of an array, one per block.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Parts<'a> {
    /// Where each part begins, and the end.
    pub starts: In<'a, u32>,
    /// The longest.
    pub most: u32,
}
impl Parts<'_> {
    /// First index and length of a block's part.
    #[inline(always)]
    pub fn of(&self, block: u32) -> (u32, u32) {
        let start = self.starts.get(block);
        (start, self.starts.get(block + 1) - start)
    }
}
