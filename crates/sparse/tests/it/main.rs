//! Sparse matrices on both machines.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
mod expanded;

mod docs;
mod errors;
mod market;
mod matrices;
mod products;
mod solves;
mod tuning;
