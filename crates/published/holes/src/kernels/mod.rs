//! Kernels.
pub mod cells;
pub mod fill;
pub mod loops;
pub mod merge;
pub mod pairs;
pub mod sides;
