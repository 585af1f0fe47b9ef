//! Simplification: fewer faces at the least cost in shape, by edge collapses in the order of quadric errors
//! (M. Garland, P. S. Heckbert, *Surface simplification using quadric error metrics*, 1997).
//!
//! | to | see |
//! |---|---|
//! | simplify a surface | [`simplify`] |
//! | simplify stage by stage, in rounds | [`Simplifier`] |
//! | simplify one edge after another, on the CPU | [`Sequence`] |
//! | simplify a part of a mesh while its border stays | [`simplify_part`] |
//! | choose the number of faces, the largest error, features | [`SimplifyOptions`] |
//! | have fewer faces than the topology takes | [`Topology::Free`] |
//! | get no new self-intersections | [`SimplifyOptions::no_self_intersections`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! // a flat square of 200 triangles
//! let at = |i: u32, j: u32| 11 * i + j;
//! let points = (0..121).map(|k| [(k / 11) as f32, (k % 11) as f32, 0.0]);
//! let cells = (0..100).map(|k| (k / 10, k % 10));
//! let faces: Vec<[u32; 3]> = cells
//!     .flat_map(|(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]])
//!     .collect();
//! let square = TriangleMesh::from_f32(points, faces);
//! let mut surface = Surface::new(&Device::cpu(), &square, &MeshOptions::default())?;
//! let options = SimplifyOptions { target: Some(Target::Faces(20)), ..SimplifyOptions::default() };
//! let report = simplify(&mut surface, &options)?;
//! assert!(report.after.faces <= 20);
//! assert_eq!(surface.download()?.faces.len() as u64, report.after.faces);
//! # Ok(())
//! # }
//! ```

mod device;
pub use device::{check, collapse, contract, prepare, price, quadric, select, values};

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod choice;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use crate::order::Order;
#[cfg(not(target_arch = "nvptx64"))]
pub use application::{Simplify, simplify_within};
#[cfg(not(target_arch = "nvptx64"))]
pub use choice::SimplifyChoice;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::contract::Counts;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::options::{Bound, SimplifyOptions, Target, Topology};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::report::{Contractions, Round, SimplifyReport, Stage, Stopped};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::sequence::{Part, PartOptions, Sequence, Simplified, simplify_part};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::simplifier::Simplifier;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::simplify::{Simplification, simplify};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh::dynamic::Sizes;
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh::features::Features;
