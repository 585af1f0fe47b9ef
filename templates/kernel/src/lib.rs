//! Mean distances to the neighbours of vertices.
//!
//! | file | holds |
//! |---|---|
//! | `kernels.rs` | the kernels, for both machines |
//! | `host.rs` | what a program calls |
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx))]

pub mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::mean_distances;

ribbonmesh::device::ptx!();
