//! Code that runs on the GPU and on the CPU.
pub mod aggregate;
pub mod matrix;
pub mod shell;
pub mod system;
