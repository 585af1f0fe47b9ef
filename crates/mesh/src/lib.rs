//! Triangle meshes on the host: positions, faces, and named attributes of every element.
//!
//! All other crates exchange meshes on the host as values of this crate. It does not depend on files, devices
//! or kernels.
//!
//! | to | see |
//! |---|---|
//! | hold a mesh | [`TriangleMesh`] |
//! | read an attribute | [`TriangleMesh::vertices`], [`faces_of`](TriangleMesh::faces_of), [`corners`](TriangleMesh::corners), [`edges_of`](TriangleMesh::edges_of), then [`Attributes::get`] |
//! | add or remove an attribute | [`AttributesMut::insert`], [`insert_column`](AttributesMut::insert_column), [`remove`](AttributesMut::remove) |
//! | set the meaning of an attribute, and how it follows changes | [`Role`], [`Policy`] |
//! | name materials, groups, objects | [`Tables`] |
//! | work in single precision far from the origin | [`TriangleMesh::local_origin`], [`points_around`](TriangleMesh::points_around) |
//! | measure area, volume and bounding box | [`TriangleMesh::area`], [`volume`](TriangleMesh::volume), [`bounding_box`](TriangleMesh::bounding_box) |
//! | generate a mesh | [`shapes`] |
//! | measure triangle quality | [`quality`] |
//! | walk from face to face | [`Sides`] |
//! | find what is connected, and whether orientations agree | [`UnionFind`], [`SidedUnionFind`] |
//! | tell errors apart by kind | [`Classified`], [`ErrorKind`] |
//! | keep some faces or vertices | [`TriangleMesh::select_faces`], [`select_vertices`](TriangleMesh::select_vertices), [`rebuild`](TriangleMesh::rebuild) |
//!
//! Attributes are columns of 1 to 4 numbers of one type. At a texture seam, the corners of a vertex have
//! different texture coordinates, so texture coordinates with seams are attributes of corners.
//!
//! ```
//! use glam::Vec3;
//! use ribbonmesh_mesh::{Column, Role, TriangleMesh};
//!
//! # fn main() -> Result<(), ribbonmesh_mesh::MeshError> {
//! let mut mesh = TriangleMesh::from_f32([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
//! mesh.vertices_mut().insert_column(Column::with_role("normal", Role::Normal, vec![Vec3::Z; 3]))?;
//! mesh.faces_of_mut().insert("label", vec![7_u16])?;
//! assert_eq!(mesh.vertices().get::<Vec3>("normal")?[1], Vec3::Z);
//!
//! mesh.select_faces(&[0, 0])?;
//! assert_eq!(mesh.faces_of().get::<u16>("label")?, [7, 7]);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod append;
mod classified;
mod column;
mod columns;
mod error;
mod extent;
mod mesh;
mod normals;
mod origin;
pub mod quality;
mod random;
mod role;
mod scalar;
mod select;
pub mod shapes;
mod sides;
mod split;
mod tables;
mod threads;
mod union_find;
mod value;

pub use append::Rest;
pub use classified::{
    AnyError, Class, Classified, Culprit, ErrorKind, OptionError, Phrase, Resource, Subject,
};
pub use column::Column;
pub use columns::{Attributes, AttributesMut};
pub use error::{ColumnError, MeshError};
pub use extent::BoundingBox;
pub use mesh::{Precision, TriangleMesh};
pub use normals::{NormalSums, vertex_normals};
pub use random::SplitMix64;
pub use role::{ColourSpace, Element, Policy, Role};
pub use scalar::{Number, Scalar, Scalars};
pub use sides::Sides;
pub use tables::{GltfPayload, Library, Material, NONE, Remark, Tables, TextureOrigin};
pub use union_find::{SidedUnionFind, UnionFind};
pub use value::Value;
