//! Code that runs on the GPU and on the CPU.
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod arrange;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod check;
pub mod components;
pub mod entry;
pub mod family;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
pub mod multiply;
pub mod solve;
pub mod stored;
