//! Discrete curvatures of vertices: Gaussian, mean, and along the boundary geodesic.
//!
//! Meyer, Desbrun, Schröder and Barr, *Discrete differential-geometry operators for triangulated
//! 2-manifolds*, 2003: the mean curvature normal (equation 8), the angle defect (equation 9) and the mixed
//! area (Figure 4).
//!
//! Corners are grouped by vertex, and one thread adds those of a vertex, in a fixed order, without patches or
//! atomics. A machine gives the same bits every time, machines agree to rounding.
//!
//! | to | see |
//! |---|---|
//! | give a surface its curvatures | [`curvature`] |
//! | compute curvatures of a topology and positions | [`curvatures_of_triangles`] |
//! | know how they are distributed | [`CurvatureReport`] |
//! | choose areas | [`CurvatureOptions`], [`Area`] |
//! | add corners in a kernel of another crate | [`around`], [`at_vertex`], [`sums`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_fields::curvature::{CurvatureOptions, curvature};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! // a tetrahedron: at each vertex, three angles of 60° lack 180° to a full turn
//! let points = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
//! let tetrahedron = TriangleMesh::from_f32(points, vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]);
//! let mut surface = Surface::new(&Device::auto(), &tetrahedron, &MeshOptions::default())?;
//! let report = curvature(&mut surface, &CurvatureOptions::default())?;
//! assert!((report.total_defect - report.gauss_bonnet()).abs() < 1e-5);
//! let after = surface.download()?;
//! let defects = after.vertices().get::<f32>("angle_defect")?;
//! assert!(defects.iter().all(|d| (d - std::f32::consts::PI).abs() < 1e-6));
//! # Ok(())
//! # }
//! ```
//!
//! **Gauss–Bonnet.** The defects of all vertices add up to 2π times vertices − edges + faces, vertices
//! without a face left out, for any triangles and positions; faces that have a vertex twice do not count.
//! Angles are added as products of complex numbers, without a constant that is rounded, so that the sum has
//! no bias.

pub mod around;
pub mod at_vertex;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
mod limit;
pub mod sums;
mod turn;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod area;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod curvatures;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod report;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod without_area;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::Curvature;
#[cfg(not(target_arch = "nvptx64"))]
pub use area::Area;
#[cfg(not(target_arch = "nvptx64"))]
pub use curvatures::{FlatCurvatures, curvatures_of_triangles};
#[cfg(not(target_arch = "nvptx64"))]
pub use report::CurvatureReport;
#[cfg(not(target_arch = "nvptx64"))]
pub use run::{CurvatureOptions, curvature};
#[cfg(not(target_arch = "nvptx64"))]
pub use without_area::FacesWithoutArea;
