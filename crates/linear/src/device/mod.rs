//! Code that runs on the GPU and on the CPU.
pub mod iterate;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod kernels;
pub mod packed;
pub mod scalars;
pub mod value;
