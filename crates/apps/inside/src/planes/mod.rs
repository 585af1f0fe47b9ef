//! Rays that use hash tables of cells in coordinate planes instead of a tree: section 3.4 of Chentanez,
//! Müller, Macklin and Kim, *Grid-Free Surface Tracking on the GPU* (2016).
pub mod kernels;
mod shadow;

#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
pub mod faces;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
pub mod test;
