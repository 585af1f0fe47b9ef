//! The neighbours around each vertex, stored: what makes work on one mesh faster that is done again and again as its
//! vertices move. Kernels read it through [`ribbonmesh_corners::RingView`], so that they need not link those that make
//! it.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod chain;
mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
mod ring;
#[cfg(not(target_arch = "nvptx64"))]
pub use ring::Ring;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-ring",
    text: include_str!("../ptx/ribbonmesh-ring.ptx"),
};
