//! Fills holes of triangle meshes.
//!
//! | to | see |
//! |---|---|
//! | list the holes | [`holes`], [`Hole`] |
//! | fill them | [`fill_holes`], [`FillOptions`] |
//! | fill some of them | [`fill_holes_where`], without some edges [`fill_holes_without`] |
//! | choose between flat and smooth | [`Method`] |
//! | join holes that lie near each other | [`FillOptions::join`] |
//! | know what was filled, and what was left and why | [`FillReport`] |
//!
//! A **hole** is a boundary loop of an oriented manifold. The outer border of an open surface, such as a
//! terrain, is a boundary loop as well, but it is left open unless [`FillOptions::borders`] asks for it.
//! Boundary loops may touch at vertices.
//!
//! The algorithms run on the host. The result is the same for any number of threads.
//!
//! ```
//! use ribbonmesh_solid::fill::{FillOptions, fill_holes, holes};
//! use ribbonmesh_mesh::shapes;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // a sphere without a vertex and its faces
//! let mut mesh = shapes::icosphere(3)?;
//! mesh.faces.retain(|face| !face.contains(&100));
//! assert_eq!(holes(&mesh)?[0].edges, 6);
//!
//! let report = fill_holes(&mut mesh, &FillOptions::default())?;
//! assert_eq!((report.filled, report.left), (1, 0));
//! assert!(mesh.is_closed());
//! # Ok(())
//! # }
//! ```
mod application;
mod around;
mod attributes;
mod border;
mod ears;
mod error;
mod exact;
mod fair;
mod grid;
mod loops;
mod one;
mod options;
mod pair;
mod refine;
mod region;
mod repair;
mod report;
mod ring;
mod run;
mod sheet;
mod strip;
mod weight;

pub use application::{Fill, FillChoice, summarize};
pub use error::FillError;
pub use options::{FillOptions, Method};
pub use repair::{Repair, RepairChoice, stitched_in_words};
pub use report::{FillReport, Filling, FlatBecause, Hole, HoleReport, Left, NotJoined, Triangulation, Why};
pub use run::{fill_holes, fill_holes_where, fill_holes_without, holes};
