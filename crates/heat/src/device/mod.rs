//! Code that runs on the GPU and on the CPU.
pub mod aggregate;
pub mod carried;
pub mod carry;
pub mod matrix;
pub mod shell;
pub mod system;
pub mod tangent;
pub mod vectors;
