//! Discrete curvatures of vertices: Gaussian, mean, and along the boundary geodesic.
//!
//! Meyer, Desbrun, Schröder and Barr, *Discrete differential-geometry operators for triangulated 2-manifolds*, 2003:
//! the mean curvature normal (equation 8), the angle defect (equation 9) and the mixed area (Figure 4).
//!
//! One launch, one block per patch: the ribbon completes the corners of all faces of the vertices that the patch owns,
//! so that each is summed by one thread, in a fixed order. No atomics on global memory; a machine gives the same bits
//! every time, machines agree to rounding.
//!
//! ```
//! use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex, glam::Vec3};
//! use ribbonmesh_curvature::{Area, curvatures};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! // a tetrahedron: at each vertex, three angles of 60° lack 180° to a full turn
//! let points = [Vec3::ONE, Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0)];
//! let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
//! let mesh = StaticMesh::new(&Device::auto(), 4, &faces, &MeshOptions::default())?;
//! let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points)?;
//! let found = curvatures(&mesh, &x, Area::Mixed)?;
//! assert!(found.defect.download()?.iter().all(|d| (d - std::f32::consts::PI).abs() < 1e-6));
//! # Ok(())
//! # }
//! ```
//!
//! **Gauss–Bonnet.** The defects of all vertices add up to 2π times vertices − edges + faces, vertices without a face left
//! out, for any triangles without degenerate ones. Angles are added as products of complex numbers, without a constant
//! that is rounded, so that the sum has no bias.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod around;
mod kernels;
mod sums;
mod turn;

#[cfg(not(target_arch = "nvptx64"))]
mod area;
#[cfg(not(target_arch = "nvptx64"))]
mod curvatures;
#[cfg(not(target_arch = "nvptx64"))]
mod summary;

#[cfg(not(target_arch = "nvptx64"))]
pub use area::Area;
#[cfg(not(target_arch = "nvptx64"))]
pub use curvatures::{Curvatures, curvatures, curvatures_into, floor_bytes};
#[cfg(not(target_arch = "nvptx64"))]
pub use summary::CurvatureSummary;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-curvature",
    text: include_str!("../ptx/ribbonmesh-curvature.ptx"),
};
