//! Vertex normals: each corner at a vertex adds its face's normal, weighted by [`Weight`].
//!
//! One launch, one block per patch: the block gathers, for each vertex that it owns, the corners of all its
//! faces, which the ribbon completes. It needs no atomics and no intermediate results in global memory.
//! Corners are added in a fixed order, so a machine gives the same bits every time; machines agree to
//! rounding.
//!
//! | to | see |
//! |---|---|
//! | give a surface normals | [`vertex_normals`] |
//! | compute normals once, without patches | [`normals_of_triangles`] |
//! | compute normals of positions on a mesh | [`normals_of`], [`normals_into`] |
//! | compute them again and again, as vertices move | [`Ring`], [`normals_with_ring`], [`normals_with_ring_into`] |
//! | choose weights | [`NormalOptions`], [`Weight`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result, glam::Vec3};
//! use ribbonmesh_normals::{NormalOptions, Weight, vertex_normals};
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
//! If normals of one mesh are computed again and again as its vertices move, a [`Ring`] makes each time
//! faster.
//!
//! **Accuracy.** Normals are right to about 10⁻⁶ for meshes of any size that `f32` can express, slivers
//! included: a vertex whose corners lose digits in `f32` is computed in `f64`. A vertex without a direction
//! gets the zero vector: it has no faces or only degenerate ones, or its faces' normals cancel to 10⁻¹³. The
//! result never has a NaN; corners whose coordinates are not finite are left out.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod careful;
mod chain;
mod corner;
mod kernels;
mod row;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod normals;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod vertex_normals;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod weight;

#[cfg(not(target_arch = "nvptx64"))]
pub use normals::{
    floor_bytes, normals_into, normals_of, normals_of_triangles, normals_with_ring, normals_with_ring_into,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh::ring::Ring;
#[cfg(not(target_arch = "nvptx64"))]
pub use vertex_normals::{NormalOptions, NormalReport, vertex_normals};
#[cfg(not(target_arch = "nvptx64"))]
pub use weight::Weight;

ribbonmesh::device::ptx!();
