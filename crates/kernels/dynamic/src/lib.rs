//! Kernels of the dynamic mesh: from a static mesh, half-edges of vertices, checks, compaction.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod elements;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-dynamic-kernels",
    text: include_str!("../ptx/ribbonmesh-dynamic-kernels.ptx"),
};
