//! Elasticity on both machines.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;

mod beams;
mod hinges;
mod layers;
mod refusals;
mod stresses;
