//! Fills holes of triangle meshes.
//!
//! | to | see |
//! |---|---|
//! | list the holes | [`holes`], [`Hole`] |
//! | fill them | [`fill_holes`], [`FillOptions`]; of a surface on its device [`fill_surface`] |
//! | fill some of them | [`fill_holes_where`], without some edges [`fill_holes_without`] |
//! | choose between flat and smooth | [`Method`] |
//! | join holes that lie near each other | [`FillOptions::join`] |
//! | know what was filled, and what was left and why | [`FillReport`] |
//!
//! A **hole** is a boundary loop of an oriented manifold. The outer border of an open surface, such as a
//! terrain, is a boundary loop as well, but it is left open unless [`FillOptions::borders`] asks for it.
//! Boundary loops may touch at vertices.
//!
//! Kernels look for the boundary, for components and for outer borders, and make flat fillings of short
//! holes ([`fill_holes`]). For other fillings the host reads only what is around the boundary, and fills the
//! holes there. The result is the same on every device and for any number of threads.
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_mesh::shapes;
//! use ribbonmesh_solid::fill::{FillOptions, fill_holes, holes};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = Device::auto();
//! // a sphere without a vertex and its faces
//! let mut mesh = shapes::icosphere(3)?;
//! mesh.faces.retain(|face| !face.contains(&100));
//! assert_eq!(holes(&device, &mesh)?[0].edges, 6);
//!
//! let report = fill_holes(&device, &mut mesh, &FillOptions::default())?;
//! assert_eq!((report.filled, report.left), (1, 0));
//! assert!(mesh.is_closed());
//! # Ok(())
//! # }
//! ```
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod exact_kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod measure;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod number;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod outline_kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod weight;

#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod application;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod around;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod attributes;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod border;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod ears;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod error;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod exact;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod fair;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod few;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod filler;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod grid;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod grow;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod loops;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod on_device;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod one;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod options;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod outline;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod pair;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod plan;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod refine;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod region;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod repair;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod report;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod ring;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod run;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod search;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod sheet;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod strip;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod surroundings;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod touching;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::{Fill, FillChoice, summarize};
#[cfg(not(target_arch = "nvptx64"))]
pub use error::FillError;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use few::Few;
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{FillOptions, Method};
#[cfg(not(target_arch = "nvptx64"))]
pub use repair::{Repair, RepairChoice, stitched_in_words};
#[cfg(not(target_arch = "nvptx64"))]
pub use report::{FillReport, Filling, FlatBecause, Hole, HoleReport, Left, NotJoined, Triangulation, Why};
#[cfg(not(target_arch = "nvptx64"))]
pub use run::{fill_holes, fill_holes_where, fill_holes_without, fill_surface, holes};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use surroundings::trees;
