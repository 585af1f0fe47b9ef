//! The tests, as one program: what they share is compiled and linked once.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
mod common;
#[path = "../../../../ribbonmesh/tests/support/mod.rs"]
mod support;

mod delaunay;
mod flipped;
mod patches;
