//! Code that runs on the GPU and on the CPU.
pub mod bake;
pub mod chart;
pub mod complex;
pub mod energy;
pub mod gradients;
pub mod joints;
pub mod merge;
pub mod parameterize;
