//! What most programs use: `use ribbonmesh_surface::prelude::*;`
pub use crate::Surface;
pub use ribbonmesh::glam::{DVec3, Vec2, Vec3};
pub use ribbonmesh::{Attribute, Buffer, Device, Edge, Face, MeshOptions, Op, StaticMesh, Vertex};
pub use ribbonmesh_mesh::{Column, Policy, Role, TriangleMesh};
