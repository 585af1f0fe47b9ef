//! The tests, as one program: what they share is compiled and linked once.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod closest;
mod distance;
