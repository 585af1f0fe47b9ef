//! Kernels over attributes: permutation, arithmetic, reductions.
//!
//! Values are seen as rows of scalars: `width` of them per element, one after the other.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod bounds;
pub mod combine;
pub mod extreme;
pub mod permute;
pub mod sum;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh_device::PtxModule = ribbonmesh_device::PtxModule {
    name: "ribbonmesh-attribute",
    text: include_str!("../ptx/ribbonmesh-attribute.ptx"),
};

/// Lanes that go through a tile side by side in a reduction; a power of two. Fixed, so that sums are added in the
/// same order on every machine.
pub const LANES: u32 = 128;
