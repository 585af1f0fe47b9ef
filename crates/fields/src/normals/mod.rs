//! Vertex normals: each corner at a vertex adds its face's normal, weighted by [`Weight`].
//!
//! Corners are linked or grouped by vertex, and one thread adds those of a vertex, without edges or patches.
//! They are added in a fixed order, so that a machine gives the same bits every time; machines agree to
//! rounding.
//!
//! | to | see |
//! |---|---|
//! | give a surface normals | [`vertex_normals`] |
//! | compute normals of indices and positions | [`normals_of_triangles`] |
//! | choose weights | [`NormalOptions`], [`Weight`] |
//! | add corners in a kernel of another crate | [`corner`], [`row`], [`careful`], [`doubts`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result, glam::Vec3};
//! use ribbonmesh_fields::normals::{NormalOptions, Weight, vertex_normals};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! let triangle = TriangleMesh::from_f32([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
//! let mut surface = Surface::new(&Device::auto(), &triangle, &MeshOptions::default())?;
//! let report = vertex_normals(&mut surface, &NormalOptions { weight: Weight::Angle })?;
//! assert_eq!(report.without_normal, 0);
//! assert_eq!(surface.download()?.vertices().get::<Vec3>("normal")?, [Vec3::Z; 3]);
//! # Ok(())
//! # }
//! ```
//!
//! **Accuracy.** Normals are right to about 10⁻⁶ for meshes of any size that `f32` can express, slivers
//! included: a vertex whose corners lose digits in `f32` is computed in `f64`. A vertex gets the zero vector
//! where there is no direction: without faces, with degenerate faces only, or where its faces' normals cancel
//! to 10⁻¹³. There is never a NaN; corners whose coordinates are not finite are left out.

pub mod careful;
pub mod corner;
pub mod doubts;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
pub mod row;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod vertex_normals;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod weight;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::Normals;
#[cfg(not(target_arch = "nvptx64"))]
pub use run::normals_of_triangles;
#[cfg(not(target_arch = "nvptx64"))]
pub use vertex_normals::{NormalOptions, NormalReport, vertex_normals};
#[cfg(not(target_arch = "nvptx64"))]
pub use weight::Weight;
