//! Kernels that write query results to memory.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh_device::PtxModule = ribbonmesh_device::PtxModule {
    name: "ribbonmesh-query",
    text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../assets/ptx/ribbonmesh-query.ptx")),
};
