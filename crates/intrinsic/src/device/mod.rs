//! Code that runs on the GPU and on the CPU.
pub mod around;
pub mod cover;
pub mod flip;
pub mod flow;
pub mod gradient;
pub mod half_edges;
pub mod lengths;
pub mod number;
pub mod rows;
pub mod triangle;
