//! The kernels.
pub mod prepare;
pub mod query;
pub mod sort;
pub mod tree;
