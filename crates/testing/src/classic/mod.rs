//! The classic operators of a dynamic mesh (thesis Figure 5.2): flips, splits, collapses and deletions of
//! chosen elements. Applications have operators of their own; these are for tests and measurements.
pub mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
mod apply;
#[cfg(not(target_arch = "nvptx64"))]
pub use apply::{Apply, Classic};
