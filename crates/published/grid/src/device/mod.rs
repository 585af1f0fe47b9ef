//! Kernels, and the functions that they call.
pub mod follow;
pub mod particles;
pub mod project;
