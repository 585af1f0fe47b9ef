//! Faces that intersect, points and faces that are inside, by hash tables of cells.
//!
//! Sections 3.1 and 3.4 of Chentanez, Müller, Macklin and Kim, *Grid-Free Surface Tracking on the GPU*
//! (2016), with levels of cells for faces of different sizes. Applications use the tree of
//! `ribbonmesh_solid::intersections` and `ribbonmesh_solid::inside`, which is faster on nearly all meshes;
//! results are the same.
//!
//! | to | see |
//! |---|---|
//! | find the faces that intersect | [`self_intersections`], [`intersections_between`] |
//! | find points and faces that are inside | [`PlaneTest`] |
//! | make a table alone | [`table_of`] |
//!
//! ```
//! use ribbonmesh::{Device, Result, glam::Vec3};
//! use ribbonmesh_cells::self_intersections;
//! use ribbonmesh_solid::intersections::Triangles;
//!
//! # fn main() -> Result<()> {
//! let device = Device::auto();
//! let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.2, 0.2, 1.0), Vec3::ONE];
//! let (positions, faces) = (device.upload(&corners)?, device.upload(&[0, 1, 2, 3, 4, 5])?);
//! let found = self_intersections(Triangles { positions: &positions, faces: &faces })?;
//! assert_eq!(found.pairs.read()?, [[0, 1]]);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod cells;
pub mod pairs;
mod planes;
pub mod table;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod measured;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod search;

#[cfg(not(target_arch = "nvptx64"))]
pub use measured::Measured;
#[cfg(not(target_arch = "nvptx64"))]
pub use planes::faces::{FacesInside, FacesInsideOptions};
#[cfg(not(target_arch = "nvptx64"))]
pub use planes::test::PlaneTest;
#[cfg(not(target_arch = "nvptx64"))]
pub use search::{intersections_between, self_intersections, table_of};
#[cfg(not(target_arch = "nvptx64"))]
pub use table::CellTable;

ribbonmesh::device::ptx!();
