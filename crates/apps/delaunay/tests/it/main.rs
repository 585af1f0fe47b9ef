//! The tests as one program, so that their common parts are compiled and linked once.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
mod common;
#[path = "../../../../ribbonmesh/tests/support/mod.rs"]
mod support;

mod delaunay;
mod flipped;
mod patches;
