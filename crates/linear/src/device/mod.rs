//! What runs on both machines.
pub mod iterate;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod kernels;
pub mod packed;
pub mod scalars;
pub mod value;
