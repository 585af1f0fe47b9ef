//! Tetrahedra of surfaces on both machines.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
mod errors;
mod meshes;
mod parts;
mod shapes;
mod surfaces;
