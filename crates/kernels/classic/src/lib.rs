//! The classic operators on chosen elements. A module of its own: the driver takes seconds to compile it, once.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod chosen;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-classic",
    text: include_str!("../ptx/ribbonmesh-classic.ptx"),
};
