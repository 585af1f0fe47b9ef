//! Trials of the dynamic mesh: operators that delete and fill in any way, operators that break the rules, and an oracle
//! that knows triangles by lists only. For tests and for `ribbonmesh-bench soak`; no program that processes meshes needs
//! it.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod device;
pub use device::{broken, fillings, trial};

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-trial",
    text: include_str!("../ptx/ribbonmesh-trial.ptx"),
};
