//! What compiles for the GPU, too.
pub mod cells;
pub mod cg;
pub mod extrapolate;
pub mod follow;
pub mod multigrid;
pub mod particles;
pub mod project;
