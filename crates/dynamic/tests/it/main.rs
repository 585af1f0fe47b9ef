//! The tests, as one program: what they share is compiled and linked once.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
#[path = "../support/mod.rs"]
mod support;

mod classic;
mod exact;
mod growth;
mod patches;
