//! The kernels.
pub mod distance;
pub mod extent;
pub mod prepare;
pub mod query;
pub mod tree;
