//! The tests, as one program: their shared code is compiled and linked once.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;

mod applications;
mod improve;
mod normals;
mod pde;
mod same_work;
