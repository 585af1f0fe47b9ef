//! Delaunay meshes by edge flips (thesis 5.4.2).
//!
//! An edge is Delaunay if its two opposite angles add up to at most 180°. Edges that are not Delaunay are
//! flipped until none is left that may be flipped: on the CPU one after another, on a GPU those that do not
//! share a face at the same time. This ends for every surface (Dyer, Zhang and Möller 2007). Vertices stay
//! where they are.
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! let points = [[0.0, 0.0, 0.0], [3.0, -1.0, 0.0], [6.0, 0.0, 0.0], [3.0, 1.0, 0.0]];
//! let kite = TriangleMesh::from_f32(points, vec![[0, 1, 2], [0, 2, 3]]);
//! let mut surface = Surface::new(&Device::auto(), &kite, &MeshOptions::default())?;
//! let report = delaunay(&mut surface, &DelaunayOptions::default())?;
//! assert_eq!(report.flips, 1);
//! assert!(surface.download()?.faces.iter().all(|f| f.contains(&1) && f.contains(&3)));
//! # Ok(())
//! # }
//! ```

mod kernels;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod sequence;
#[cfg(not(target_arch = "nvptx64"))]
pub use crate::order::Order;
#[cfg(not(target_arch = "nvptx64"))]
pub use application::Delaunay;
#[cfg(not(target_arch = "nvptx64"))]
pub use run::{Blocked, DelaunayOptions, DelaunayReport, delaunay, flip};
