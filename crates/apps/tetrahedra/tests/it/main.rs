//! Tests of tetrahedra of surfaces on the GPU and the CPU.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
mod errors;
mod meshes;
mod parts;
mod shapes;
mod surfaces;
