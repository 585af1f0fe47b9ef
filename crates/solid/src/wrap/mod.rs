//! Makes a closed surface without self-intersections around any triangles.
//!
//! The volume consists of all points within a distance of the triangles, with a winding number of more than
//! one half, or out of reach from outside. Its surface is extracted from a grid by marching tetrahedra, and
//! drawn to the triangles. The result is a closed oriented manifold for any triangles. Use it for triangles
//! that are too bad to be repaired one by one.
//!
//! ```
//! use ribbonmesh::prelude::*;
//! use ribbonmesh_solid::wrap::{WrapOptions, wrap};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! // two triangles that pass through each other
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.2, -0.5], [0.3, 0.2, 0.5], [0.2, 0.4, 0.5]];
//! let mesh = TriangleMesh::from_f32(corners, vec![[0, 1, 2], [3, 4, 5]]);
//! let mut surface = Surface::new(&Device::cpu(), &mesh, &MeshOptions::default())?;
//! let options = WrapOptions { resolution: 32, ..WrapOptions::default() };
//! wrap(&mut surface, &options)?;
//! assert!(surface.download()?.is_closed());
//! # Ok(())
//! # }
//! ```
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod grid;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod planes;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod cubes;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod field;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod options;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod project;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[cfg(test)]
mod tests;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::Wrap;
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{WrapOptions, WrapReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use run::wrap;
