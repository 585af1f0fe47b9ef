//! Smoothing by mean curvature flow: implicit steps (M + t L) x' = M x (Desbrun, Meyer, Schröder, Barr 1999),
//! solved by conjugate gradients (thesis 4.5.1; appendix E, Listing 4).
//!
//! | to | see |
//! |---|---|
//! | smooth a surface | [`smooth`] |
//! | smooth positions on one mesh again and again, or look at the matrix | [`Smoother`] |
//! | choose weights, masses, time step, solver | [`SmoothOptions`] |
//! | know whether a surface has shrunk to nothing | [`Shrinkage`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_fields::smooth::{SmoothOptions, TimeStep, smooth};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! // an octahedron shrinks
//! let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let points = [x, y, z, x.map(|c| -c), y.map(|c| -c), z.map(|c| -c)];
//! let faces = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
//! let octahedron = TriangleMesh::from_f32(points, faces.to_vec());
//! let mut surface = Surface::new(&Device::auto(), &octahedron, &MeshOptions::default())?;
//! let options = SmoothOptions { time_step: TimeStep::Absolute(0.1), ..SmoothOptions::default() };
//! let report = smooth(&mut surface, &options)?;
//! assert!(report.converged() && surface.download()?.positions[0].x < 1.0);
//! # Ok(())
//! # }
//! ```
//!
//! **Matrix.** With cotangent weights L has -(cot α + cot β) / 2 outside the diagonal, α and β being the
//! angles opposite to the edge, one for each face; with uniform weights -1. The diagonal makes each row add
//! up to 0. M is diagonal. Weights are not clamped at 0, which Listing 4 does. Without clamping, L is the
//! matrix of the surface's Dirichlet energy, and the system is positive definite, whatever the angles are.
//!
//! **Intrinsic weights** are those of an intrinsic Delaunay triangulation of the same surface
//! (`ribbonmesh-intrinsic`), in double precision, solved with multigrid or a factorization.
//!
//! **Faces without area** have a finite weight: a triangle whose height is less than 10⁻⁴ of its longest side
//! counts as that high. One whose sides are all less than 10⁻⁹ of the mean edge has none. A vertex without
//! mass and weight stays. Finite positions never give a NaN.
//!
//! **Precision.** Vectors are `f32`, products are summed in `f64`. The unknown is the displacement, so the
//! distance of the surface from the origin does not matter. A residual much below 10⁻⁶ of the first is that
//! of the recurrence of conjugate gradients; the true residual may be larger.

mod chain;
mod cotangent;
mod flat;
mod links;
mod measure;
mod multiply;
mod ordered;
mod prepare;
mod ring;
mod rows;
mod stage;
mod wide;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod direct;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod divided;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod flat_system;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod intrinsic;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod options;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod parts;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod pattern;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod report;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod smoother;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod system;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::Smooth;
#[cfg(not(target_arch = "nvptx64"))]
pub use flat_system::{DividedStep, smooth_triangles};
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{Boundary, Mass, Preconditioner, SmoothOptions, Solver, TimeStep, Weights};
#[cfg(not(target_arch = "nvptx64"))]
pub use parts::Shrinkage;
#[cfg(not(target_arch = "nvptx64"))]
pub use report::{SmoothReport, StepReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use run::smooth;
#[cfg(not(target_arch = "nvptx64"))]
pub use smoother::{Matrix, Smoother};
