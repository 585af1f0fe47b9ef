//! Tetrahedra of surfaces on both machines.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
mod errors;
mod meshes;
mod shapes;
mod surfaces;
