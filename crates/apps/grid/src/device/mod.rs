//! Kernels, and the functions that they call.
pub mod cells;
pub mod cg;
pub mod extrapolate;
pub mod follow;
pub mod multigrid;
pub mod particles;
pub mod project;
