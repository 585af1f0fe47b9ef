//! Code that runs on the GPU and on the CPU.
pub mod domain;
pub mod exact;
pub mod face;
pub mod state;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod step;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod tiles;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod view;
