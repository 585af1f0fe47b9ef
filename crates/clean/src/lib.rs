//! Makes a closed oriented manifold with outward faces and without self-intersections of any triangles, in
//! one call; with a given number of faces on request.
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_clean::{CleanOptions, clean};
//! use ribbonmesh_mesh::shapes;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut mesh = shapes::icosphere(4)?;
//! // a hole, and another ball through the first
//! mesh.faces.truncate(5000);
//! let mut other = shapes::icosphere(3)?;
//! other.positions.iter_mut().for_each(|p| p.x += 0.8);
//! mesh.append(&other)?;
//! let report = clean(&Device::cpu(), &mut mesh, &CleanOptions { faces: Some(1000), ..CleanOptions::default() })?;
//! assert!(mesh.is_closed() && report.intersecting_pairs == 0);
//! assert_eq!(mesh.faces.len(), 1000);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
mod application;
mod clean;
mod doubled;
mod error;
mod memory;
mod options;
mod outward;
mod report;

pub use application::{Clean, CleanChoice};
pub use clean::{clean, clean_surface};
pub use error::CleanError;
pub use memory::Bytes;
pub use options::{CleanOptions, Weld, Wrapping};
pub use report::{CleanReport, Filled, Sizes};
