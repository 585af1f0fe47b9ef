//! Fields on surfaces: values of vertices that are computed from positions and triangles, and positions that
//! are filtered.
//!
//! | module | has |
//! |---|---|
//! | [`curvature`] | mean, Gaussian and principal curvatures |
//! | [`denoise`] | filters that remove noise and keep features |
//! | [`geodesic`] | lengths of shortest paths on the surface, approximate and exact |
//! | [`normals`] | normals of vertices |
//! | [`smooth`] | implicit mean curvature flow |
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]

pub mod curvature;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod denoise;
pub mod geodesic;
pub mod normals;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod smooth;

ribbonmesh::device::ptx!();
