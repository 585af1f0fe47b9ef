//! Code that runs on the GPU and on the CPU.
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod advect;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod assemble;
pub mod cells;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod cg;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod closed;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod cut;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod extrapolate;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod fastest;
pub mod level;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod multigrid;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod project;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod solid;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod tail;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod viscosity;
