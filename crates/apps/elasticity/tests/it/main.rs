//! Tests of elasticity on the GPU and the CPU.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;

mod beams;
mod hinges;
mod layers;
mod refusals;
mod stresses;
