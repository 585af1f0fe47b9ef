//! Replaces closed surfaces that pass through themselves or each other by one closed surface without
//! intersections, which bounds the volume within any of them.
//!
//! Lines 10 to 19 of algorithm 1 of Chentanez, Müller, Macklin and Kim, *Grid-Free Surface Tracking on the
//! GPU* (2016), without time: faces that intersect are deleted, and so are faces inside of the volume; the
//! holes that this leaves are paired, joined and filled. Therefore the surface changes only near
//! intersections, where it becomes coarse: new faces do not follow the curve of intersection exactly, but
//! connect the remaining faces on both sides of it.
//!
//! ```
//! use ribbonmesh::{Device, TriangleMesh, glam::DVec3};
//! use ribbonmesh_mesh::shapes;
//! use ribbonmesh_solid::resolve::{ResolveOptions, resolve};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let one = shapes::icosphere(3)?;
//! let mut other = one.clone();
//! other.positions.iter_mut().for_each(|p| *p += DVec3::new(0.9, 0.1, 0.2));
//! let (union, report) = resolve(&Device::cpu(), &[one, other], &ResolveOptions::default())?;
//! assert!(union.is_closed() && report.joined == 1);
//! # Ok(())
//! # }
//! ```
//!
//! The result is checked before it is returned: a closed, oriented manifold, of which no two faces intersect
//! in the sense of [`crate::intersections`], exactly. If no such result is found, the function returns an
//! error.
mod application;
mod clusters;
mod cut;
mod deviation;
mod error;
mod gone;
mod groups;
mod refine;
mod region;
mod run;
mod spot;

pub use application::{Resolve, ResolveChoice};
pub use error::ResolveError;
pub use region::{ResolvedRegion, resolve_region};
pub use run::{ResolveOptions, ResolveReport, resolve};
