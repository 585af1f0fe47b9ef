//! The search by a hash of cells.
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod kernels;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
pub mod measured;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
pub mod search;
