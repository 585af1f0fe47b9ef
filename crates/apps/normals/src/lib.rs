//! Vertex normals: each corner at a vertex adds its face's normal, weighted by [`Weight`].
//!
//! One launch, one block per patch: the block gathers, for each vertex that it owns, the corners of all its faces, which
//! the ribbon completes. No atomics on global memory, no intermediate results in it. Corners are added in a fixed
//! order, so that a machine gives the same bits every time; machines agree to rounding.
//!
//! ```
//! use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex, glam::Vec3};
//! use ribbonmesh_normals::{Weight, vertex_normals};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! let mesh = StaticMesh::new(&Device::auto(), 3, &[[0, 1, 2]], &MeshOptions::default())?;
//! let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &[Vec3::ZERO, Vec3::X, Vec3::Y])?;
//! let normals = vertex_normals(&mesh, &x, Weight::Angle)?;
//! assert_eq!(normals.download()?, [Vec3::Z; 3]);
//! # Ok(())
//! # }
//! ```
//!
//! Where normals of one mesh are computed again and again, as its vertices move, a [`Ring`] makes each time faster.
//!
//! **Accuracy.** Normals are right to about 10⁻⁶ for meshes of any size that `f32` can express, slivers included: a
//! vertex whose corners lose digits in `f32` is computed in `f64`. A vertex gets the zero vector where there is no
//! direction: without faces, with degenerate faces only, or where its faces' normals cancel to 10⁻¹³.
//! There is never a NaN; corners whose coordinates are not finite are left out.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod careful;
mod chain;
mod corner;
mod kernels;
mod row;

#[cfg(not(target_arch = "nvptx64"))]
mod normals;
#[cfg(not(target_arch = "nvptx64"))]
mod weight;

#[cfg(not(target_arch = "nvptx64"))]
pub use normals::{
    floor_bytes, vertex_normals, vertex_normals_into, vertex_normals_with_ring, vertex_normals_with_ring_into,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh_ring::Ring;
#[cfg(not(target_arch = "nvptx64"))]
pub use weight::Weight;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-normals",
    text: include_str!("../ptx/ribbonmesh-normals.ptx"),
};
