//! Holes of triangle meshes that are found, paired and filled on the device.
//!
//! Sections 3.5 to 3.8 of Chentanez, Müller, Macklin and Kim, *Grid-Free Surface Tracking on the GPU* (2016),
//! with algorithms 2, 3 and 4. Applications fill holes with `ribbonmesh_solid::fill`, whose triangulations
//! follow the surface around a hole.
//!
//! | to | see |
//! |---|---|
//! | find the holes | [`Holes::of`] |
//! | pair them, and join pairs by quads | [`Holes::join`] |
//! | fill them | [`Joined::fill`] |
//! | all of it | [`fill`] |
//!
//! ```
//! use ribbonmesh::{Device, glam::Vec3};
//! use ribbonmesh_holes::{HoleOptions, HolesError, fill};
//! use ribbonmesh_solid::intersections::Triangles;
//!
//! # fn main() -> Result<(), HolesError> {
//! // a box without its upper face
//! let x = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
//! let faces = [
//!     [0, 2, 1], [0, 3, 2], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7],
//! ];
//! let device = Device::auto();
//! let positions = device.upload(&x.map(|p| Vec3::from_array(p.map(|c| c as f32))))?;
//! let faces = device.upload(faces.as_flattened())?;
//! let filled = fill(Triangles { positions: &positions, faces: &faces }, &HoleOptions::of_edges(1.5))?;
//! assert_eq!((filled.kept, filled.faces.len() / 3, filled.open), (10, 12, 0));
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]
#![cfg_attr(not(target_arch = "nvptx64"), forbid(unsafe_code))]

pub mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
mod filling;
#[cfg(not(target_arch = "nvptx64"))]
mod holes;
#[cfg(not(target_arch = "nvptx64"))]
mod joining;
#[cfg(not(target_arch = "nvptx64"))]
mod options;
#[cfg(not(target_arch = "nvptx64"))]
mod pairing;
#[cfg(not(target_arch = "nvptx64"))]
mod sides;

#[cfg(not(target_arch = "nvptx64"))]
pub use filling::{Filled, fill};
#[cfg(not(target_arch = "nvptx64"))]
pub use holes::Holes;
#[cfg(not(target_arch = "nvptx64"))]
pub use joining::Joined;
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{HoleOptions, HolesError};

ribbonmesh::device::ptx!();
