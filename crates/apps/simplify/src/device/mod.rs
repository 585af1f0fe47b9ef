//! What runs in kernels.
pub mod collapse;
mod distance;
pub mod prepare;
pub mod price;
pub mod quadric;
pub mod select;
pub mod values;
