//! Code that runs on the GPU and on the CPU.
pub mod blocks;
pub mod functions;
pub mod panel;
pub mod products;
pub mod rows;
