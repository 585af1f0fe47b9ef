//! Kernels of tests: every primitive of a block, and trials of the dynamic mesh. For tests and `benches`
//! only.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod concurrent;
pub mod primitives;
pub mod trial;

ribbonmesh::device::ptx!();
