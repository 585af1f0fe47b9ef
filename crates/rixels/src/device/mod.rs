//! Code that runs on the GPU and on the CPU.
pub mod camera;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod cells;
pub mod clip;
pub mod drawn;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod evaluate;
pub mod exact;
pub mod fields;
pub mod heights;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod pack;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod raster;
pub mod scene;
