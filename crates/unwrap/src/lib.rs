//! Texture coordinates of triangle meshes, and textures from one mesh to another.
//!
//! | to | see |
//! |---|---|
//! | give any mesh texture coordinates | [`unwrap()`], [`UnwrapOptions`], [`UnwrapReport`] |
//! | map one disk to the plane | [`parameterize()`], [`ParameterizeOptions`] |
//! | make a texture from another mesh | [`bake()`], [`BakeOptions`], [`Texture`] |
//! | know how much maps distort | [`Distortion`] |
//!
//! Charts, and maps to the plane, are kernels; cuts along seams and packing are on the host.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]

mod device;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;

ribbonmesh::device::ptx!();
