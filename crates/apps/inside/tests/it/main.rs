//! The tests as one program, so that their common parts are compiled and linked once.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
mod common;

mod closed;
mod defects;
mod faces;
mod shapes;
