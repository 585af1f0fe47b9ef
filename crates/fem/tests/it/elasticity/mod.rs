//! Tests of elasticity on the GPU and the CPU.

mod beams;
mod hinges;
mod large;
mod layers;
mod modes;
mod motion;
mod refusals;
mod stresses;
