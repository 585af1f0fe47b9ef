//! What is computed on patches against what is computed without.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
mod common;
mod curvature;
mod geodesic;
mod model;
mod normals;
