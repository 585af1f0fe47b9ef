//! What runs in kernels.
pub mod collapse;
mod distance;
mod geometry;
mod marking;
pub mod prepare;
pub mod price;
pub mod quadric;
pub mod select;
pub mod values;
