//! Items that most programs use: `use ribbonmesh::prelude::*;`
pub use crate::Surface;
pub use crate::glam::{DVec3, Vec2, Vec3};
pub use crate::{Attribute, Buffer, Device, Edge, Face, MeshOptions, Op, StaticMesh, Vertex};
pub use ribbonmesh_mesh::{Column, Policy, Role, TriangleMesh};
