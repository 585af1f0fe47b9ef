//! Modules that also compile for the GPU.
pub mod cuts;
pub mod edges;
pub mod fill;
pub mod lattice;
pub mod quality;
pub mod rows;
pub mod stencil;
pub mod units;
pub mod vertices;
pub mod warp;
