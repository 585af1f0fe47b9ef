//! Trials of the dynamic mesh: operators that delete and fill in any way, operators that break the rules, and
//! an oracle that knows triangles by lists only. For tests and for `ribbonmesh-bench soak`; no program that
//! processes meshes needs it.

mod device;
pub use device::{broken, fillings, trial};

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;
