//! Elasticity on both machines.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;

mod beams;
mod layers;
mod refusals;
