//! Tests of elasticity on the GPU and the CPU.

mod beams;
mod hinges;
mod layers;
mod refusals;
mod stresses;
