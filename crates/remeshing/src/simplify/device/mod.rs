//! Kernels, and the functions that they call.
pub mod check;
pub mod collapse;
pub mod contract;
pub mod distance;
pub mod prepare;
pub mod price;
pub mod quadric;
pub mod select;
pub mod values;
