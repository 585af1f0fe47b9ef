//! The tests, as one program: what they share is compiled and linked once.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
mod common;

mod faces;
mod pairs;
mod points;
mod shapes;
